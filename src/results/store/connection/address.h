// SPDX-License-Identifier: MIT
// Addresses of stores on servers.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::store {

// Whether the place of a store is one of PostgreSQL, not a file.
bool is_address(std::string_view place);

// The address as it may be shown: without a password, which stands behind the user's name or among the options.
std::string without_password(std::string address);

}  // namespace weakspot::store
