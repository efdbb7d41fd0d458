// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4): names of contents that withstand adversaries, and secrets that are kept as hashes.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::base {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace weakspot::base
