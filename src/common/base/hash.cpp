// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <fmt/format.h>

#include <bit>

namespace weakspot::base {
namespace {

constexpr std::uint64_t kMultiplier1 = 0x87c37b91114253d5u;
constexpr std::uint64_t kMultiplier2 = 0x4cf5ad432745937fu;

// Little-endian load of at most 8 bytes, the same on every machine.
std::uint64_t load(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return word;
}

std::uint64_t scramble1(std::uint64_t k) { return std::rotl(k * kMultiplier1, 31) * kMultiplier2; }
std::uint64_t scramble2(std::uint64_t k) { return std::rotl(k * kMultiplier2, 33) * kMultiplier1; }

std::uint64_t finish(std::uint64_t k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdu;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53u;
  return k ^ (k >> 33);
}

}  // namespace

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash_bytes(std::string_view bytes) {
  std::uint64_t h1 = 0, h2 = 0;
  const std::uint64_t size = bytes.size();
  while (bytes.size() >= 16) {
    h1 ^= scramble1(load(bytes.substr(0, 8)));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= scramble2(load(bytes.substr(8, 8)));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
    bytes.remove_prefix(16);
  }
  if (bytes.size() > 8) h2 ^= scramble2(load(bytes.substr(8)));
  if (!bytes.empty()) h1 ^= scramble1(load(bytes.substr(0, 8)));
  h1 ^= size;
  h2 ^= size;
  h1 += h2;
  h2 += h1;
  h1 = finish(h1);
  h2 = finish(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

}  // namespace weakspot::base
