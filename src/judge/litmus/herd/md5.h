// SPDX-License-Identifier: MIT
// MD5 (RFC 1321), for logs of other tools that name tests by it. It does not withstand adversaries; our own files use
// base/hash.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weakspot::litmus::herd {

struct Md5 {
  std::array<std::uint8_t, 16> bytes{};

  // The 16 bytes as they are, for a hash of hashes.
  std::string raw() const;
  // 32 lower-case hexadecimal digits.
  std::string hex() const;
};

Md5 md5(std::string_view text);

}  // namespace weakspot::litmus::herd
