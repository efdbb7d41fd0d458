// SPDX-License-Identifier: MIT
#include "litmus/herd/md5.h"

#include <fmt/format.h>

#include <bit>

namespace weakspot::litmus::herd {
namespace {

constexpr std::size_t kBlock = 64;

// floor(2^32 * abs(sin(i + 1))), as the RFC has them.
constexpr std::uint32_t kSines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

using State = std::array<std::uint32_t, 4>;

std::uint32_t word_at(std::string_view block, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(block[4 * index + i])} << (8 * i);
  }
  return word;
}

void mix(State& state, std::string_view block) {
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t f = 0;
    std::size_t at = 0;
    switch (i / 16) {
      case 0:
        f = (b & c) | (~b & d);
        at = i;
        break;
      case 1:
        f = (d & b) | (~d & c);
        at = (5 * i + 1) % 16;
        break;
      case 2:
        f = b ^ c ^ d;
        at = (3 * i + 5) % 16;
        break;
      default:
        f = c ^ (b | ~d);
        at = (7 * i) % 16;
        break;
    }
    const std::uint32_t sum = a + f + kSines[i] + word_at(block, at);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[i / 16][i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

std::string Md5::raw() const { return {bytes.begin(), bytes.end()}; }

std::string Md5::hex() const {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Md5 md5(std::string_view text) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string_view rest = text;
  for (; rest.size() >= kBlock; rest.remove_prefix(kBlock)) mix(state, rest.substr(0, kBlock));
  std::string last(rest);
  last += '\x80';
  while (last.size() % kBlock != kBlock - 8) last += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int i = 0; i < 8; ++i) last += static_cast<char>(static_cast<unsigned char>(bits >> (8 * i)));
  for (std::string_view block = last; !block.empty(); block.remove_prefix(kBlock)) mix(state, block.substr(0, kBlock));
  Md5 result;
  for (std::size_t i = 0; i < 16; ++i) {
    result.bytes[i] = static_cast<std::uint8_t>(state[i / 4] >> (8 * (i % 4)));
  }
  return result;
}

}  // namespace weakspot::litmus::herd
