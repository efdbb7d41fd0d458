// SPDX-License-Identifier: MIT
// Which lane a lane reads, against tables written by hand from AMD's manuals of the instruction set.
#include "race_jit/hooks/warp_operations.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit::warp_operations_test {
namespace {

constexpr unsigned kNone = 99;

unsigned moved(std::uint32_t control, unsigned lane, unsigned wave = 64) {
  return moved_from(control, lane, wave).value_or(kNone);
}

TEST(WaveMoves, GoByTheControlWord) {
  struct Row {
    std::uint32_t control;
    unsigned lane, from;
  };
  constexpr Row kRows[] = {
      {0xe4, 5, 5},       {0x1b, 4, 7},       {0xb1, 6, 7},       // quads
      {0x101, 3, 4},      {0x101, 15, kNone}, {0x10f, 16, 31},    // left within a row
      {0x111, 16, kNone}, {0x111, 17, 16},    {0x11f, 31, 16},    // right
      {0x121, 0, 15},     {0x12f, 15, 0},     {0x121, 33, 32},    // around
      {0x140, 0, 15},     {0x140, 18, 29},    {0x141, 9, 14},     // mirrored
      {0x142, 16, 15},    {0x142, 63, 47},    {0x142, 3, kNone},  // the last lane of the row before
      {0x143, 40, 31},    {0x143, 3, kNone},                      // the last of the lower half
      {0x130, 63, kNone}, {0x130, 15, 16},    {0x134, 63, 0},    {0x138, 0, kNone}, {0x138, 32, 31},
      {0x13c, 0, 63},     {0x153, 20, 19},    {0x161, 20, 21},   {0x1ff, 3, kNone},
  };
  for (const Row& row : kRows) EXPECT_EQ(moved(row.control, row.lane), row.from) << row.control << ' ' << row.lane;
  EXPECT_EQ(moved(0x134, 31, 32), 0u);
  EXPECT_EQ(moved(0x130, 31, 32), kNone);
}

TEST(WaveMoves, SwizzleWithinHalves) {
  EXPECT_EQ(swizzled_from(0x041f, 6), 7u);    // the other of two
  EXPECT_EQ(swizzled_from(0x7c1f, 0), 31u);   // all five bits flipped
  EXPECT_EQ(swizzled_from(0x7c1f, 40), 55u);  // in the upper half as well
  EXPECT_EQ(swizzled_from(0x0000, 17), 0u);   // everybody reads lane 0
  EXPECT_EQ(swizzled_from(0x801b, 9), 10u);   // reversed quads
  EXPECT_EQ(swizzled_from(0xc020, 31), 0u);   // rotated to the left by one
  EXPECT_EQ(swizzled_from(0xc420, 32), 63u);  // to the right
  EXPECT_EQ(swizzled_from(0xc038, 15), 8u);   // within groups of eight
}

TEST(WaveOperations, GiveEachLaneItsValue) {
  std::vector<ThreadContext> contexts(4);
  std::vector<ThreadContext*> lanes;
  const unsigned numbers[] = {64, 65, 67, 127};  // of the second wave
  for (unsigned i = 0; i < 4; ++i) {
    contexts[i].number = numbers[i];
    contexts[i].operation = {.kind = kWaveBallot, .value = i % 2, .lane = 1};
    lanes.push_back(&contexts[i]);
  }
  compute_wave_operation(lanes, 64);
  for (const ThreadContext* lane : lanes) EXPECT_EQ(lane->operation.result, (1ull << 1) | (1ull << 63));
  for (ThreadContext* lane : lanes) lane->operation = {.kind = kWaveFirst, .value = lane->number};
  compute_wave_operation(lanes, 64);
  for (const ThreadContext* lane : lanes) EXPECT_EQ(lane->operation.result, 64u);
  for (ThreadContext* lane : lanes) lane->operation = {.kind = kWaveRead, .value = lane->number, .lane = 3};
  lanes[0]->operation.lane = 2;  // a lane that does not take part
  compute_wave_operation(lanes, 64);
  EXPECT_EQ(lanes[0]->operation.width, 0u);
  EXPECT_EQ(lanes[3]->operation.width, 1u);
  EXPECT_EQ(lanes[3]->operation.result, 67u);
  for (ThreadContext* lane : lanes) lane->operation = {.kind = kWaveSend, .value = lane->number, .lane = 1};
  compute_wave_operation(lanes, 64);
  EXPECT_EQ(lanes[1]->operation.result, 127u);
  EXPECT_EQ(lanes[2]->operation.result, 0u);
}

}  // namespace
}  // namespace weakspot::race_jit::warp_operations_test
