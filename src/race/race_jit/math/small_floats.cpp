// SPDX-License-Identifier: MIT
#include "race_jit/math/small_floats.h"

#include <bit>

namespace weakspot::race_jit {
namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

float bfloat_to_float(std::uint16_t bits) { return as_float(std::uint32_t{bits} << 16); }

std::uint16_t float_to_bfloat(float value) {
  const std::uint32_t bits = as_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, rest = (half & 0x7fffu) << 13;
  if (rest >= 0x0f800000) return as_float(sign | (rest + 0x70000000));  // infinite or no number
  if (rest >= 0x00800000) return as_float(sign | (rest + 0x38000000));
  return as_float(sign | as_bits(as_float(rest + 0x38800000) - as_float(0x38800000)));
}

std::uint16_t float_to_half(float value) {
  const std::uint32_t sign = as_bits(value) >> 16 & 0x8000;
  std::uint32_t bits = as_bits(value) & 0x7fffffff;
  if (bits > 0x7f800000) return 0x7fff;
  if (bits >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);
  // Below the least normal number, adding one half leaves the rounded bits at the end.
  if (bits < 0x38800000) return static_cast<std::uint16_t>(sign | (as_bits(as_float(bits) + 0.5f) - 0x3f000000));
  bits += 0xc8000fff + (bits >> 13 & 1);
  return static_cast<std::uint16_t>(sign | bits >> 13);
}

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b) {
  return float_to_half(half_to_float(a) + half_to_float(b));
}

std::uint16_t add_bfloats(std::uint16_t a, std::uint16_t b) {
  return float_to_bfloat(bfloat_to_float(a) + bfloat_to_float(b));
}

extern "C" {
float weakspot_half_to_float(std::uint16_t half) { return half_to_float(half); }
std::uint16_t weakspot_float_to_half(float value) { return float_to_half(value); }
float weakspot_bfloat_to_float(std::uint16_t bits) { return bfloat_to_float(bits); }
std::uint16_t weakspot_float_to_bfloat(float value) { return float_to_bfloat(value); }
}

}  // namespace weakspot::race_jit
