// SPDX-License-Identifier: MIT
#include "race_jit/machine/matrix_reads.h"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace weakspot::race_jit
