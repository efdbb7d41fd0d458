// SPDX-License-Identifier: MIT
#include "race_jit/math/small_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

std::uint32_t round_to_small(float value, SmallFloat format, RoundTo how, bool finite) {
  struct Shape {
    int exponent_bits, fraction_bits;
    std::uint32_t largest, no_number;  // the largest finite number
  };
  static constexpr Shape kShapes[] = {{5, 10, 0x7bff, 0x7fff},
                                      {8, 7, 0x7f7f, 0x7fff},
                                      {8, 10, 0x3fbff, 0x3ffff},
                                      {4, 3, 0x7e, 0x7f},
                                      {5, 2, 0x7b, 0x7f}};
  const Shape& shape = kShapes[static_cast<unsigned>(format)];
  const int place = format == SmallFloat::tf32 ? 13 : 0;  // tf32 has the bits of a float
  if (std::isnan(value)) return shape.no_number << place | (place == 0 ? 0 : 0x1fff);
  const bool negative = std::signbit(value);
  const std::uint32_t sign = negative ? 1u << (shape.exponent_bits + shape.fraction_bits) : 0;
  // In units of the last place, which is the same for all numbers below the least normal one.
  const int least = 2 - (1 << (shape.exponent_bits - 1));
  const double size = std::min(std::abs(double{value}), double{std::numeric_limits<float>::max()} * 2);
  const int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
  const double units = std::ldexp(size, shape.fraction_bits - exponent), whole = std::floor(units);
  const double rest = units - whole;
  const bool odd = std::fmod(whole, 2) != 0;
  const bool outward = how == (negative ? RoundTo::down : RoundTo::up);
  const bool more = outward                   ? rest > 0
                    : how == RoundTo::nearest ? rest > 0.5 || (rest == 0.5 && odd)
                                              : how == RoundTo::away && rest >= 0.5;
  std::uint32_t bits = (static_cast<std::uint32_t>(exponent - least) << shape.fraction_bits) +
                       static_cast<std::uint32_t>(whole) + (more ? 1 : 0);
  if (bits > shape.largest) {
    const bool stays = finite || (!std::isinf(value) && !outward && how != RoundTo::nearest && how != RoundTo::away);
    bits = stays ? shape.largest : shape.largest + 1;
  }
  return (sign | bits) << place;
}

float tiny_to_float(std::uint8_t bits, int fraction_bits) {
  const bool has_infinity = fraction_bits == 2;
  const int exponent = (bits & 0x7f) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
  const int bias = has_infinity ? 15 : 7;
  const float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
  const bool special = has_infinity ? exponent == 31 : (bits & 0x7f) == 0x7f;
  if (special && (fraction != 0)) return std::numeric_limits<float>::quiet_NaN();
  if (special) return sign * std::numeric_limits<float>::infinity();
  const int whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  return sign * std::ldexp(static_cast<float>(whole), (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
}

extern "C" {
float weakspot_half_to_float(std::uint16_t half) { return half_to_float(half); }
std::uint16_t weakspot_float_to_half(float value) { return float_to_half(value); }
float weakspot_bfloat_to_float(std::uint16_t bits) { return bfloat_to_float(bits); }
std::uint16_t weakspot_float_to_bfloat(float value) { return float_to_bfloat(value); }
std::uint32_t weakspot_round_to_small(float value, std::uint32_t format, std::uint32_t how, std::uint32_t finite) {
  return round_to_small(value, static_cast<SmallFloat>(format), static_cast<RoundTo>(how), finite != 0);
}
float weakspot_tiny_to_float(std::uint8_t bits, std::uint32_t fraction_bits) {
  return tiny_to_float(bits, static_cast<int>(fraction_bits));
}
}

}  // namespace weakspot::race_jit
