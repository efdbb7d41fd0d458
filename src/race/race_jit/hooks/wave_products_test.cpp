// SPDX-License-Identifier: MIT
// Products of matrices against loops over the matrices, with layouts that are written here as tables of the manuals.
#include "race_jit/hooks/wave_products.h"

#include <gtest/gtest.h>

#include <vector>

namespace weakspot::race_jit::wave_products_test {
namespace {

TEST(WaveProducts, AreKnownByTheirNames) {
  struct Row {
    const char* name;
    unsigned bits, blocks, results;
  };
  for (const Row& row :
       {Row{"f32.32x32x1f32", 32, 2, 32}, Row{"f32.16x16x1f32", 32, 4, 16}, Row{"f32.4x4x1f32", 32, 16, 4},
        Row{"f32.32x32x2f32", 32, 1, 16}, Row{"f32.16x16x4f32", 32, 1, 4}, Row{"f32.32x32x8f16", 64, 1, 16},
        Row{"f32.16x16x16f16", 64, 1, 4}, Row{"f32.16x16x16bf16.1k", 64, 1, 4}, Row{"f32.32x32x4bf16", 32, 1, 16},
        Row{"i32.16x16x16i8", 32, 1, 4}, Row{"i32.32x32x16.i8", 64, 1, 16}}) {
    const std::optional<WaveProduct> found = wave_product(row.name, row.bits);
    ASSERT_TRUE(found) << row.name;
    EXPECT_EQ(found->blocks(), row.blocks) << row.name;
    EXPECT_EQ(found->results(), row.results) << row.name;
    EXPECT_EQ(WaveProduct::unpacked(found->packed()).packed(), found->packed());
  }
  for (const char* name : {"f64.16x16x4f64", "f32.16x16x8.xf32", "f32.16x16x32.fp8.bf8", "f32", ""}) {
    EXPECT_FALSE(wave_product(name, 64)) << name;
  }
}

// Numbers whose products and sums are exact.
float element(unsigned row, unsigned column) { return static_cast<float>((row * 3 + column * 5) % 7); }

TEST(WaveProducts, MultiplyOneBlock) {
  const WaveProduct product = *wave_product("f32.16x16x4f32", 32);
  std::vector<float> a(64), b(64), c(256), d(256);
  std::array<ProductLane, 64> held;
  std::array<const ProductLane*, 64> lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = element(lane % 16, lane / 16);
    b[lane] = element(lane / 16, lane % 16) + 1;
    for (unsigned r = 0; r < 4; ++r) c[lane * 4 + r] = static_cast<float>(lane);
    held[lane] = {&a[lane], &b[lane], &c[std::size_t{lane} * 4], &d[std::size_t{lane} * 4]};
    lanes[lane] = &held[lane];
  }
  multiply(product, lanes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned r = 0; r < 4; ++r) {
      float sum = static_cast<float>(lane);
      for (unsigned k = 0; k < 4; ++k) sum += element(4 * (lane / 16) + r, k) * (element(k, lane % 16) + 1);
      EXPECT_EQ(d[lane * 4 + r], sum) << lane << ' ' << r;
    }
  }
}

TEST(WaveProducts, PackNumbersAlongTheDepth) {
  const WaveProduct product = *wave_product("i32.32x32x8i8", 32);
  std::vector<std::array<std::int8_t, 4>> a(64), b(64);
  std::vector<std::array<std::int32_t, 16>> c(64), d(64);
  std::array<ProductLane, 64> held;
  std::array<const ProductLane*, 64> lanes;
  auto left = [](unsigned row, unsigned k) { return static_cast<std::int8_t>(int(row) - 9 * int(k)); };
  auto right = [](unsigned k, unsigned column) { return static_cast<std::int8_t>(int(k) * 7 - int(column)); };
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned e = 0; e < 4; ++e) {
      a[lane][e] = left(lane % 32, lane / 32 * 4 + e);
      b[lane][e] = right(lane / 32 * 4 + e, lane % 32);
    }
    c[lane].fill(-1);
    held[lane] = {&a[lane], &b[lane], &c[lane], &d[lane]};
    lanes[lane] = &held[lane];
  }
  multiply(product, lanes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned r = 0; r < 16; ++r) {
      std::int32_t sum = -1;
      const unsigned row = 8 * (r / 4) + 4 * (lane / 32) + r % 4;
      for (unsigned k = 0; k < 8; ++k) sum += left(row, k) * right(k, lane % 32);
      EXPECT_EQ(d[lane][r], sum) << lane << ' ' << r;
    }
  }
}

TEST(WaveProducts, KeepBlocksApart) {
  const WaveProduct product = *wave_product("f32.4x4x1f32", 32);
  std::vector<float> a(64), b(64), c(256), d(256);
  std::array<ProductLane, 64> held;
  std::array<const ProductLane*, 64> lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = static_cast<float>(lane);
    b[lane] = static_cast<float>(lane % 4 + 1);
    held[lane] = {&a[lane], &b[lane], &c[std::size_t{lane} * 4], &d[std::size_t{lane} * 4]};
    lanes[lane] = lane == 5 ? nullptr : &held[lane];  // not active: row 1 of the second block is 0
  }
  multiply(product, lanes);
  EXPECT_EQ(d[9 * 4 + 2], (8 + 2) * 2.0f);
  EXPECT_EQ(d[4 * 4 + 1], 0.0f);
  EXPECT_EQ(d[4 * 4 + 3], 7 * 1.0f);
}

}  // namespace
}  // namespace weakspot::race_jit::wave_products_test
