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

TEST(SmallFloats, Adds) {
  EXPECT_EQ(add_halves(0x3c00, 0x3c00), 0x4000);
  EXPECT_EQ(add_halves(0x6800, 0x3c00), 0x6800);  // 2048 + 1 is no half
  EXPECT_EQ(add_bfloats(0x3f80, 0x3f80), 0x4000);
}

}  // namespace
}  // namespace weakspot::race_jit
