// SPDX-License-Identifier: MIT
#include "race_jit/machine/matrix_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>

namespace weakspot::race_jit {
namespace {

std::uint64_t descriptor(std::uint64_t start, std::uint64_t halves, std::uint64_t eights, std::uint64_t shuffle) {
  return start >> 4 | halves >> 4 << 16 | eights >> 4 << 32 | shuffle << 62;
}

TEST(MatrixDescriptor, WithoutShufflingEightRowsOf16BytesLieTogether) {
  const MatrixDescriptor matrix{descriptor(1024, 128, 256, 0)};
  EXPECT_EQ(matrix.offset(0, 0), 1024u);
  EXPECT_EQ(matrix.offset(1, 0), 1040u);
  EXPECT_EQ(matrix.offset(1, 1), 1040u + 128);
  EXPECT_EQ(matrix.offset(8, 0), 1024u + 256);
}

TEST(MatrixDescriptor, ShuffledRowsKeepTheirBytesWithinTheRow) {
  for (const std::uint64_t shuffle : {1, 2, 3}) {
    const std::uint32_t width = 256u >> shuffle;
    const MatrixDescriptor matrix{descriptor(2048, 16, 8 * width, shuffle)};
    std::set<std::uint32_t> seen;
    for (std::uint32_t row = 0; row < 64; ++row) {
      for (std::uint32_t half = 0; half < 2; ++half) {
        const std::uint32_t at = matrix.offset(row, half);
        EXPECT_EQ((at - 2048) / width, row) << width;
        EXPECT_EQ(at % 16, 0u);
        EXPECT_TRUE(seen.insert(at).second);
      }
    }
  }
  // The fourth row of 128 bytes: its first 16 bytes change places with its fourth.
  EXPECT_EQ((MatrixDescriptor{descriptor(0, 16, 1024, 1)}.offset(3, 0)), 3u * 128 + 3 * 16);
}

// Eight elements of two bytes lie together: rows of one place of the sum.
TEST(MatrixDescriptor, AcrossEightRowsOfOnePlaceLieTogether) {
  const MatrixDescriptor plain{descriptor(1024, 128, 512, 0)};
  EXPECT_EQ(plain.offset_across(0, 3), 1024u + 48);
  EXPECT_EQ(plain.offset_across(0, 8), 1024u + 128);
  EXPECT_EQ(plain.offset_across(1, 0), 1024u + 512);
  // 64 rows of eight places, which are 128 bytes long and shuffled; then the next eight places, or the next 64 rows.
  const MatrixDescriptor shuffled{descriptor(0, 4096, 1024, 1)};
  EXPECT_EQ(shuffled.offset_across(0, 2), 2u * 128 + 2 * 16);
  EXPECT_EQ(shuffled.offset_across(5, 2), 2u * 128 + (5 ^ 2) * 16);
  EXPECT_EQ(shuffled.offset_across(0, 8), 1024u);
  EXPECT_EQ(shuffled.offset_across(8, 0), 4096u);
}

TEST(MatrixKind, IsOneNumberForCompiledCode) {
  const MatrixKind kind{.left = MatrixElement::e5m2,
                        .right = MatrixElement::u8,
                        .sum = MatrixSum::s32,
                        .left_in_registers = true,
                        .right_across = true,
                        .minus_right = true};
  const MatrixKind back = MatrixKind::unpacked(kind.packed());
  EXPECT_EQ(back.packed(), kind.packed());
  EXPECT_EQ(back.left, MatrixElement::e5m2);
  EXPECT_EQ(back.right, MatrixElement::u8);
  EXPECT_EQ(back.sum, MatrixSum::s32);
  EXPECT_TRUE(back.left_in_registers && back.right_across && back.minus_right);
  EXPECT_FALSE(back.left_across || back.minus_left);
}

TEST(MatrixProduct, AddsUpRowsTimesColumns) {
  // The second row is all ones, the fourth column all twos: a lane of row 1 has columns 2 and 3.
  std::vector<float> left(16 * 16), right(8 * 16);
  std::fill_n(left.begin() + 16, 16, 1.0f);
  std::fill_n(right.begin() + 3 * 16, 16, 2.0f);
  MatrixRegisters sums{};
  const float before = 0.5f;
  std::memcpy(&sums[1], &before, 4);
  multiply({}, left, right, 4 * 1 + 1, true, sums);
  float got[2];
  std::memcpy(got, sums.data(), sizeof got);
  EXPECT_EQ(got[0], 0.0f);
  EXPECT_EQ(got[1], 32.5f);
  multiply({.minus_left = true}, left, right, 4 * 1 + 1, false, sums);
  std::memcpy(got, sums.data(), sizeof got);
  EXPECT_EQ(got[1], -32.0f);
}

TEST(MatrixProduct, ReadsElementsOfAllTypes) {
  auto first = [](MatrixElement element, std::initializer_list<std::uint8_t> bytes) {
    MatrixRow row{};
    std::copy(bytes.begin(), bytes.end(), row.begin());
    return matrix_values(element, std::span(&row, 1)).front();
  };
  EXPECT_EQ(first(MatrixElement::half, {0x00, 0x3e}), 1.5f);
  EXPECT_EQ(first(MatrixElement::bfloat, {0xc0, 0x3f}), 1.5f);
  EXPECT_EQ(first(MatrixElement::tf32, {0xff, 0x1f, 0xc0, 0x3f}), 1.5f);  // the last 13 bits do not count
  EXPECT_EQ(first(MatrixElement::e4m3, {0x3c}), 1.5f);
  EXPECT_EQ(first(MatrixElement::e4m3, {0x01}), 0x1p-9f);
  EXPECT_EQ(first(MatrixElement::e5m2, {0xbe}), -1.5f);
  EXPECT_TRUE(std::isinf(first(MatrixElement::e5m2, {0x7c})));
  EXPECT_TRUE(std::isnan(first(MatrixElement::e4m3, {0xff})));
  EXPECT_EQ(first(MatrixElement::s8, {0xff}), -1.0f);
  EXPECT_EQ(first(MatrixElement::u8, {0xff}), 255.0f);
}

}  // namespace
}  // namespace weakspot::race_jit
