// SPDX-License-Identifier: MIT
#include "litmus/meaning.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::litmus::meaning_test {
namespace {

constexpr LocationId kX{0}, kY{1};
constexpr std::int64_t kMin32 = INT32_MIN;

struct ComputeRow {
  ComputeOp op;
  Type type;
  std::int64_t left, right, result;
};

TEST(Compute, Numbers) {
  using enum ComputeOp;
  using enum Type;
  const ComputeRow rows[] = {
      {mov, s8, 200, 0, -56},
      {mov, u8, -1, 0, 255},
      {not_, s32, 0, 99, -1},
      {not_, u32, 0, 0, 0xffff'ffff},
      {neg, s32, kMin32, 0, kMin32},
      {neg, u16, 1, 0, 65535},
      {add, s32, INT32_MAX, 1, kMin32},
      {add, s64, INT64_MAX, 1, INT64_MIN},
      {add, u8, 250, 10, 4},
      {sub, u32, 0, 1, 0xffff'ffff},
      {sub, s64, INT64_MIN, 1, INT64_MAX},
      {mul, s32, 0x10000, 0x10000, 0},
      {mul, s64, INT64_MIN, -1, INT64_MIN},
      {and_, s32, 6, 3, 2},
      {or_, s32, 6, 3, 7},
      {xor_, s32, 6, 3, 5},
      // Shifts: at the width of the type, by its sign, and everything out beyond the width.
      {shl, s32, 1, 31, kMin32},
      {shl, u32, 1, 31, 0x8000'0000},
      {shl, s32, 1, 32, 0},
      {shl, s32, 1, -1, 0},
      {shl, s64, 1, 63, INT64_MIN},
      {shl, u8, 3, 7, 128},
      {shr, s32, -8, 1, -4},
      {shr, u32, 0xffff'fff8, 1, 0x7fff'fffc},
      {shr, u32, -8, 1, 0x7fff'fffc},
      {shr, s32, -8, 40, -1},
      {shr, s32, 8, 40, 0},
      {shr, u32, 0xffff'fff8, 32, 0},
      {shr, u64, -1, 63, 1},
      {shr, s64, -1, 64, -1},
      {shr, u64, -1, 64, 0},
      // Comparisons are signed, at any type.
      {eq, s32, 4, 4, 1},
      {ne, s32, 4, 4, 0},
      {lt, u32, -1, 1, 1},
      {le, s32, 2, 2, 1},
      {gt, s32, -2, 2, 0},
      {ge, pred, 2, 2, 1},
  };
  for (const ComputeRow& row : rows) {
    EXPECT_EQ(compute(row.op, row.type, integer(row.left), integer(row.right)), integer(row.result))
        << to_string(row.op) << '.' << to_string(row.type) << ' ' << row.left << ' ' << row.right;
  }
}

TEST(Compute, AddressesMoveOffsetAndCompare) {
  using enum ComputeOp;
  const Value x = address_of(kX), y = address_of(kY), x8{8, kX};
  EXPECT_EQ(compute(mov, Type::s32, x, integer(5)), x);  // never cut
  EXPECT_EQ(compute(add, Type::s64, x, integer(8)), x8);
  EXPECT_EQ(compute(add, Type::s64, integer(8), x), x8);
  EXPECT_EQ(compute(sub, Type::s64, x8, integer(8)), x);
  EXPECT_EQ(compute(sub, Type::s64, x8, x), integer(8));
  EXPECT_EQ(compute(eq, Type::s32, x, y), integer(0));
  EXPECT_EQ(compute(ne, Type::s32, x, integer(0)), integer(1));
  EXPECT_EQ(compute(lt, Type::s32, x, x8), integer(1));
}

TEST(Compute, FalseDependenciesOnAddressesCancel) {
  using enum ComputeOp;
  const Value x = address_of(kX);
  EXPECT_EQ(compute(xor_, Type::s64, x, x), integer(0));
  EXPECT_EQ(compute(sub, Type::s64, x, x), integer(0));
  EXPECT_EQ(compute(and_, Type::s64, x, integer(0)), integer(0));
  EXPECT_EQ(compute(mul, Type::s64, integer(0), x), integer(0));
  EXPECT_EQ(compute(or_, Type::s64, integer(0), x), x);
}

TEST(Compute, OtherArithmeticOnAddressesHasNoMeaning) {
  using enum ComputeOp;
  const Value x = address_of(kX), y = address_of(kY);
  EXPECT_EQ(compute(add, Type::s64, x, y), std::nullopt);
  EXPECT_EQ(compute(sub, Type::s64, x, y), std::nullopt);
  EXPECT_EQ(compute(sub, Type::s64, integer(8), x), std::nullopt);
  EXPECT_EQ(compute(lt, Type::s64, x, y), std::nullopt);
  EXPECT_EQ(compute(shl, Type::s64, x, integer(1)), std::nullopt);
  EXPECT_EQ(compute(not_, Type::s64, x, Value{}), std::nullopt);
  EXPECT_EQ(compute(neg, Type::s64, integer(3), x), integer(-3));  // the right operand of a unary one is ignored
}

struct ModifyRow {
  RmwOp op;
  Type type;
  std::int64_t old, operand, result;
};

TEST(Modify, Numbers) {
  using enum RmwOp;
  using enum Type;
  const ModifyRow rows[] = {
      {exch, s8, 1, 200, -56},
      {cas, u8, 1, -1, 255},  // when it succeeds
      {add, s32, INT32_MAX, 1, kMin32},
      {sub, u32, 0, 1, 0xffff'ffff},
      {and_, s32, 6, 3, 2},
      {or_, s32, 6, 3, 7},
      {xor_, s32, 6, 3, 5},
      // PTX's inc counts from 0 to the operand and starts again; dec counts down and starts again at the operand.
      {inc, u32, 3, 5, 4},
      {inc, u32, 5, 5, 0},
      {inc, u32, 9, 5, 0},
      {inc, s32, -1, 5, 0},
      {inc, u32, 0xffff'fffe, -1, 0xffff'ffff},
      {dec, u32, 3, 5, 2},
      {dec, u32, 0, 5, 5},
      {dec, u32, 9, 5, 5},
      {dec, s32, -1, 5, 5},
      {dec, s32, 0, -1, -1},
      // The type decides which of two is less, at its own width.
      {min, s32, -1, 1, -1},
      {max, s32, -1, 1, 1},
      {min, u32, 0xffff'ffff, 1, 1},
      {max, u32, -1, 1, 0xffff'ffff},
      {min, u64, -1, 1, 1},
      {max, s32, 5, 0x8000'0000, 5},
      {min, s32, 5, 0x8000'0000, kMin32},
      {max, s32, 4, 4, 4},
  };
  for (const ModifyRow& row : rows) {
    EXPECT_EQ(modify(row.op, row.type, integer(row.old), integer(row.operand)), integer(row.result))
        << to_string(row.op) << '.' << to_string(row.type) << ' ' << row.old << ' ' << row.operand;
  }
}

TEST(Modify, Addresses) {
  const Value x = address_of(kX);
  EXPECT_EQ(modify(RmwOp::exch, Type::s64, integer(1), x), x);
  EXPECT_EQ(modify(RmwOp::add, Type::s64, x, integer(4)), (Value{4, kX}));
  EXPECT_EQ(modify(RmwOp::max, Type::s64, x, integer(4)), std::nullopt);
  EXPECT_EQ(modify(RmwOp::inc, Type::s64, integer(1), x), std::nullopt);
}

TEST(PhysicalLocation, FollowsAllSteps) {
  LitmusTest test;
  test.locations.resize(3);
  EXPECT_EQ(physical_location(test, {2}), LocationId{2});
  test.locations[1].alias_of = LocationId{0};
  test.locations[2].alias_of = LocationId{1};
  EXPECT_EQ(physical_location(test, {2}), LocationId{0});
  EXPECT_EQ(physical_location(test, {1}), LocationId{0});
}

}  // namespace
}  // namespace weakspot::litmus::meaning_test
