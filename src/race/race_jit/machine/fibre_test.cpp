// SPDX-License-Identifier: MIT
#include "race_jit/machine/fibre.h"

#include <gtest/gtest.h>

#include <string>

namespace weakspot::race_jit {
namespace {

// Two stacks that hand over to each other and to the test.
struct Stage {
  void* test = nullptr;
  void* first = nullptr;
  void* second = nullptr;
  StackBounds test_stack = own_stack(), first_stack, second_stack;
  std::string trace;
};

void first_main(void* argument) {
  enter_stack();
  auto* stage = static_cast<Stage*>(argument);
  // Values that are alive across switches, in both kinds of registers.
  double weight = 0.5;
  for (int round = 0; round < 3; ++round) {
    stage->trace += "a" + std::to_string(round);
    switch_stack(&stage->first, stage->second, stage->second_stack);
    weight *= 2;
  }
  stage->trace += weight == 4.0 ? "!" : "?";
  switch_stack(&stage->first, stage->test, stage->test_stack, true);
}

void second_main(void* argument) {
  enter_stack();
  auto* stage = static_cast<Stage*>(argument);
  for (int round = 0;; ++round) {
    stage->trace += "b" + std::to_string(round);
    switch_stack(&stage->second, stage->first, stage->first_stack);
  }
}

TEST(Fibre, StacksHandOverToEachOther) {
  StackPool pool(64 * 1024);
  Stage stage;
  char* stacks[] = {pool.take(), pool.take()};
  ASSERT_NE(stacks[0], nullptr);
  ASSERT_NE(stacks[1], nullptr);
  stage.first_stack = pool.bounds(stacks[0]);
  stage.second_stack = pool.bounds(stacks[1]);
  stage.first = prepare_stack(stacks[0], &first_main, &stage);
  stage.second = prepare_stack(stacks[1], &second_main, &stage);
  switch_stack(&stage.test, stage.first, stage.first_stack);
  EXPECT_EQ(stage.trace, "a0b0a1b1a2b2!");
}

void align_main(void* argument) {
  enter_stack();
  auto* stage = static_cast<Stage*>(argument);
  // Compilers rely on the alignment of the stack at a function's entry.
  alignas(16) volatile char local[16] = {};
  stage->trace = reinterpret_cast<std::uintptr_t>(&local) % 16 == 0 ? "aligned" : "not aligned";
  switch_stack(&stage->first, stage->test, stage->test_stack, true);
}

TEST(Fibre, StacksAreAligned) {
  StackPool pool(64 * 1024);
  Stage stage;
  char* top = pool.take();
  stage.first = prepare_stack(top, &align_main, &stage);
  switch_stack(&stage.test, stage.first, pool.bounds(top));
  EXPECT_EQ(stage.trace, "aligned");
}

TEST(Fibre, PoolsKnowTheirStacks) {
  StackPool pool(64 * 1024);
  char* top = pool.take();
  EXPECT_TRUE(pool.owns(top - 8));
  const StackBounds bounds = pool.bounds(top);
  EXPECT_EQ(bounds.size, 64u * 1024);
  EXPECT_LT(bounds.begin, top);
  EXPECT_LE(top, bounds.begin + bounds.size);
  int elsewhere = 0;
  EXPECT_FALSE(pool.owns(&elsewhere));
  pool.give_back(top);
  EXPECT_EQ(pool.take(), top);
}

}  // namespace
}  // namespace weakspot::race_jit
