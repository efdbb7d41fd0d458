// SPDX-License-Identifier: MIT
#include "model/expression/expression.h"

#include <gtest/gtest.h>

namespace weakspot::model::expression_test {
namespace {

using litmus::ComputeOp;
using litmus::Type;
using Leaves = std::vector<std::uint32_t>;

TEST(Expression, LeavesAreSortedAndOnce) {
  ExpressionPool pool;
  const ExprId two = pool.read(2, Type::s32);
  const ExprId one = pool.read(1, Type::s32);
  const ExprId number = pool.constant(litmus::integer(5));
  EXPECT_EQ(pool.leaves(number), Leaves{});
  EXPECT_EQ(pool.leaves(two), Leaves{2});
  const ExprId sum = pool.compute(ComputeOp::add, Type::s32, two, one);
  const ExprId again = pool.compute(ComputeOp::mul, Type::s32, sum, two);
  EXPECT_EQ(pool.leaves(sum), (Leaves{1, 2}));
  EXPECT_EQ(pool.leaves(again), (Leaves{1, 2}));
  EXPECT_EQ(pool.leaves(pool.compute(ComputeOp::add, Type::s32, number, one)), Leaves{1});
}

// The expression has 2^40 parts as a tree.
TEST(Expression, SharedPartsAreLookedAtOnce) {
  ExpressionPool pool;
  const ExprId three = pool.read(3, Type::s64);
  ExprId whole = pool.compute(ComputeOp::add, Type::s64, pool.read(0, Type::s64), three);
  for (int i = 0; i < 40; ++i) whole = pool.compute(ComputeOp::add, Type::s64, whole, whole);
  EXPECT_EQ(pool.leaves(whole), (Leaves{0, 3}));
  const auto value = pool.evaluate(whole, [](std::uint32_t event) { return litmus::integer(event == 3 ? 1 : 0); });
  EXPECT_EQ(value, litmus::integer(std::int64_t{1} << 40));
}

}  // namespace
}  // namespace weakspot::model::expression_test
