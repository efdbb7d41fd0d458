// SPDX-License-Identifier: MIT
// A row of a database as texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weakspot::store {

// NULL is nullopt; numbers are as the database prints them.
using Row = std::vector<std::optional<std::string>>;

}  // namespace weakspot::store
