// SPDX-License-Identifier: MIT
#include "race_jit/math/small_floats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weakspot::race_jit {
namespace {

TEST(SmallFloats, ConvertsKnownNumbers) {
  struct Known {
    std::uint16_t half;
    float value;
  };
  constexpr Known kKnown[] = {{0x0000, 0.0f},        {0x3c00, 1.0f},          {0xc000, -2.0f},
                              {0x7bff, 65504.0f},    {0x0400, 6.1035156e-5f}, {0x0001, 5.9604645e-8f},
                              {0x3555, 0.33325195f}, {0x7c00, INFINITY},      {0xfc00, -INFINITY}};
  for (const Known& known : kKnown) {
    EXPECT_EQ(half_to_float(known.half), known.value);
    EXPECT_EQ(float_to_half(known.value), known.half);
  }
}

TEST(SmallFloats, EveryHalfSurvivesTheWayThere) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = half_to_float(half);
    if (std::isnan(value)) {
      EXPECT_EQ(float_to_half(value), 0x7fff);
    } else {
      EXPECT_EQ(float_to_half(value), half);
    }
  }
}

TEST(SmallFloats, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3c00);  // half-way: the even one
  EXPECT_EQ(float_to_half(1.0f + 0x3p-11f), 0x3c02);  // half-way: the even one above
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
}

// Table "Exponent and fraction bits" of the formats, and cvt of the PTX ISA for the modes.
TEST(SmallFloats, RoundsToEveryFormat) {
  auto to = [](SmallFloat format, float value, RoundTo how = RoundTo::nearest, bool finite = false) {
    return round_to_small(value, format, how, finite);
  };
  for (unsigned bits = 0; bits < 0x10000; bits += 7) {  // as the conversion to the nearest half does
    const float value = half_to_float(static_cast<std::uint16_t>(bits)) * 1.001f;
    EXPECT_EQ(to(SmallFloat::f16, value), float_to_half(value)) << value;
  }
  EXPECT_EQ(to(SmallFloat::f16, 65519.0f, RoundTo::up), 0x7c00u);
  EXPECT_EQ(to(SmallFloat::f16, 1e30f, RoundTo::zero), 0x7bffu);
  EXPECT_EQ(to(SmallFloat::f16, -1e30f, RoundTo::up), 0xfbffu);
  EXPECT_EQ(to(SmallFloat::f16, -1.0f - 0x1p-20f, RoundTo::down), 0xbc01u);
  EXPECT_EQ(to(SmallFloat::bf16, 1.0f + 0x1p-7f + 0x1p-9f, RoundTo::zero), 0x3f81u);
  EXPECT_EQ(to(SmallFloat::tf32, 1.0f + 0x1p-11f, RoundTo::away), 0x3f802000u);
  EXPECT_EQ(to(SmallFloat::tf32, 1.0f + 0x1p-11f), 0x3f800000u);
  EXPECT_EQ(to(SmallFloat::tf32, NAN), 0x7fffffffu);
  EXPECT_EQ(to(SmallFloat::e4m3, 448.0f), 0x7eu);
  EXPECT_EQ(to(SmallFloat::e4m3, 1000.0f, RoundTo::nearest, true), 0x7eu);
  EXPECT_EQ(to(SmallFloat::e4m3, -INFINITY, RoundTo::nearest, true), 0xfeu);
  EXPECT_EQ(to(SmallFloat::e4m3, 0x1p-10f), 0x00u);  // half-way: the even one
  EXPECT_EQ(to(SmallFloat::e4m3, 0x3p-10f), 0x02u);
  EXPECT_EQ(to(SmallFloat::e5m2, 57344.0f), 0x7bu);
  EXPECT_EQ(to(SmallFloat::e5m2, 1e6f, RoundTo::nearest, true), 0x7bu);
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (const auto& [format, fraction] : {std::pair(SmallFloat::e4m3, 3), std::pair(SmallFloat::e5m2, 2)}) {
      const float value = tiny_to_float(static_cast<std::uint8_t>(bits), fraction);
      EXPECT_EQ(std::isnan(value) ? bits : to(format, value), bits) << value;
    }
  }
}

TEST(SmallFloats, Adds) {
  EXPECT_EQ(add_halves(0x3c00, 0x3c00), 0x4000);
  EXPECT_EQ(add_halves(0x6800, 0x3c00), 0x6800);  // 2048 + 1 is no half
  EXPECT_EQ(add_bfloats(0x3f80, 0x3f80), 0x4000);
}

}  // namespace
}  // namespace weakspot::race_jit
