// SPDX-License-Identifier: MIT
#include "litmus/vocabulary.h"

#include <gtest/gtest.h>

#include <compare>
#include <concepts>

namespace weakspot::litmus::vocabulary_test {
namespace {

// Comparing strength by < does not compile.
static_assert(!std::totally_ordered<Order> && !std::three_way_comparable<Order>);
static_assert(std::totally_ordered<Scope>);

constexpr Order kAll[] = {Order::plain,   Order::relaxed, Order::consume, Order::acquire_pc,
                          Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};

TEST(Orders, StrengthIsAPartialOrder) {
  for (Order a : kAll) {
    EXPECT_TRUE(at_most_as_strong(Order::plain, a));
    EXPECT_TRUE(at_most_as_strong(a, Order::seq_cst));
    for (Order b : kAll) {
      EXPECT_EQ(at_most_as_strong(a, b) && at_most_as_strong(b, a), a == b) << to_string(a) << " " << to_string(b);
      for (Order c : kAll) {
        EXPECT_TRUE(!at_most_as_strong(a, b) || !at_most_as_strong(b, c) || at_most_as_strong(a, c));
      }
    }
  }
}

TEST(Orders, AcquireAndReleaseAreNotComparable) {
  EXPECT_TRUE(at_most_as_strong(Order::relaxed, Order::acquire));
  EXPECT_TRUE(at_most_as_strong(Order::consume, Order::acquire_pc));
  EXPECT_TRUE(at_most_as_strong(Order::acquire_pc, Order::acquire));
  EXPECT_TRUE(at_most_as_strong(Order::acquire, Order::acq_rel));
  EXPECT_TRUE(at_most_as_strong(Order::release, Order::acq_rel));
  EXPECT_FALSE(at_most_as_strong(Order::acquire, Order::release));
  EXPECT_FALSE(at_most_as_strong(Order::release, Order::acquire));
  EXPECT_FALSE(at_most_as_strong(Order::consume, Order::release));
  EXPECT_FALSE(at_most_as_strong(Order::seq_cst, Order::acq_rel));
}

TEST(Types, WrapCutsAndExtends) {
  EXPECT_EQ(wrap(255, Type::s8), -1);
  EXPECT_EQ(wrap(255, Type::u8), 255);
  EXPECT_EQ(wrap(-1, Type::u16), 65535);
  EXPECT_EQ(wrap(0x1'8000'0000, Type::s32), -0x8000'0000LL);
  EXPECT_EQ(wrap(0x1'8000'0000, Type::u32), 0x8000'0000LL);
  EXPECT_EQ(wrap(0x1'8000'0000, Type::b32), -0x8000'0000LL);
  EXPECT_EQ(wrap(INT64_MIN, Type::u64), INT64_MIN);
  EXPECT_EQ(wrap(7, Type::pred), 1);
}

TEST(Types, FitsEitherReading) {
  EXPECT_TRUE(fits(255, Type::s8));
  EXPECT_TRUE(fits(-128, Type::u8));
  EXPECT_FALSE(fits(256, Type::u8));
  EXPECT_FALSE(fits(-129, Type::s8));
  EXPECT_FALSE(fits(2, Type::pred));
}

}  // namespace
}  // namespace weakspot::litmus::vocabulary_test
