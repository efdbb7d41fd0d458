// SPDX-License-Identifier: MIT
// A stable 128-bit hash that names things in files: it never changes between versions, platforms or
// runs. It does not withstand adversaries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weakspot::base {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;

  // 32 lower-case hexadecimal digits.
  std::string hex() const;
};

// MurmurHash3 x64-128 of the bytes, seed 0; the reference vectors are in the test.
Hash128 hash_bytes(std::string_view bytes);

}  // namespace weakspot::base
