// SPDX-License-Identifier: MIT
// The parts of the harness: values, encoding, structure, layout, the plan of stress, expressions.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/source.h"
#include "codegen/harness/encoding.h"
#include "codegen/harness/memory_layout.h"
#include "codegen/harness/stress_plan.h"
#include "codegen/harness/structure.h"
#include "codegen/harness/values.h"
#include "codegen/kernel/kernel.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::codegen::codegen_parts_test {
namespace {

using litmus::integer;

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

std::vector<std::int64_t> numbers(const PossibleValues& values) {
  std::vector<std::int64_t> result;
  for (const litmus::Value& value : values.values) result.push_back(value.number);
  return result;
}

TEST(PossibleValues, FollowStoresComputationsAndUpdates) {
  const auto values = possible_values(
      read("weakspot T\n{ x = 5; }\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n atom.add _, y, 2 | add r1, r0, 10 ;\n"
           " | ld r2, y ;\nexists (1:r0=1 /\\ 1:r1=11 /\\ 1:r2=2 /\\ x=1)\n"));
  ASSERT_EQ(4u, values.size());
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 5}), numbers(values[0]));  // 0: the register's own start
  EXPECT_EQ((std::vector<std::int64_t>{0, 10, 11, 15}), numbers(values[1]));
  EXPECT_FALSE(values[2].any);
  EXPECT_EQ((std::vector<std::int64_t>{1, 5}), numbers(values[3]));
}

TEST(PossibleValues, SelectsGiveEither) {
  const auto values = possible_values(
      read("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n | sel.eq r1, r0, 1, 4, r0 ;\nexists (1:r1=4)\n"));
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 4}), numbers(values[0]));
}

TEST(PossibleValues, ShiftsAndExtremesAreKnown) {
  const auto values = possible_values(
      read("weakspot T\n{ x = 5; u32 z = 4294967295; }\n P0 ;\n ld r0, x ;\n shl r1, r0, 2 ;\n shr r2, r0, 1 ;\n"
           " shl r3, r0, 32 ;\n atom.max r4, x, 7 ;\n atom.min.u32 r5, z, 3 ;\n"
           "exists (0:r1=20 /\\ 0:r2=2 /\\ 0:r3=0 /\\ x=7 /\\ z=3)\n"));
  ASSERT_EQ(5u, values.size());
  EXPECT_EQ((std::vector<std::int64_t>{0, 20, 28}), numbers(values[0]));
  EXPECT_EQ((std::vector<std::int64_t>{0, 2, 3}), numbers(values[1]));
  EXPECT_EQ((std::vector<std::int64_t>{0}), numbers(values[2]));
  EXPECT_EQ((std::vector<std::int64_t>{5, 7}), numbers(values[3]));
  EXPECT_EQ((std::vector<std::int64_t>{3, 4294967295}), numbers(values[4]));
}

TEST(PossibleValues, AddressesCancel) {
  const auto values = possible_values(
      read("weakspot T\n{ p = &x; 0:s64 r0; 0:s64 r1; }\n P0 ;\n ld r0, p ;\n xor r1, r0, r0 ;\nexists (0:r1=0)\n"));
  EXPECT_EQ((std::vector<std::int64_t>{0}), numbers(values[0]));
}

TEST(PossibleValues, FollowAliasesOfAliases) {
  const auto values =
      possible_values(read("weakspot T\n{ x = 5; y aliases x; z aliases y; }\n P0 | P1 ;\n st z, 1 | ld r0, y ;\n"
                           "exists (1:r0=1 /\\ z=1)\n"));
  ASSERT_EQ(2u, values.size());
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 5}), numbers(values[0]));
  EXPECT_EQ((std::vector<std::int64_t>{1, 5}), numbers(values[1]));
}

TEST(PossibleValues, LoopsThatCountAreAnything) {
  const auto values = possible_values(
      read("weakspot T\n P0 ;\n again: ;\n atom.add r0, x, 1 ;\n bne r0, 9, again ;\nexists (0:r0=9)\n"));
  EXPECT_TRUE(values[0].any);
}

TEST(PossibleValues, PartsOfLocationsAreAnything) {
  const auto values = possible_values(read("weakspot T\n P0 ;\n ld.u8 r0, x+1 ;\nexists (0:r0=9)\n"));
  EXPECT_TRUE(values[0].any);
}

TEST(Encoding, RoundTrip) {
  const litmus::LitmusTest test = read(
      "weakspot T\n{ x = -3; p = &x; 1:s64 r2; }\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n st p, &y | ld r2, p ;\n"
      "exists (1:r0=1 /\\ 1:r2=&x /\\ x=1)\n");
  const base::Result<OutcomeEncoding> encoding = OutcomeEncoding::make(test);
  ASSERT_TRUE(encoding.ok());
  EXPECT_TRUE(encoding->has_table());
  std::set<litmus::Outcome> all;
  for (std::uint64_t number = 0; number < encoding->size(); ++number) {
    const litmus::Outcome outcome = encoding->decode(number);
    EXPECT_EQ(number, encoding->encode(outcome));
    all.insert(outcome);
  }
  EXPECT_EQ(encoding->size(), all.size());
  litmus::Outcome unknown = encoding->decode(0);
  unknown[0] = integer(77);
  EXPECT_FALSE(encoding->encode(unknown).has_value());
}

TEST(Encoding, TooManyCombinationsAreRefused) {
  const base::Result<OutcomeEncoding> encoding = OutcomeEncoding::make(
      read("weakspot T\n P0 ;\n ld.u8 r0, x+1 ;\n ld.u8 r1, x+1 ;\nexists (0:r0=9 /\\ 0:r1=8)\n"));
  EXPECT_EQ("error: T: cannot run: the 2 observed values have too many combinations to count\n",
            base::render(encoding.errors()));
}

std::vector<Region> regions(const std::string& cells) {
  const base::Result<std::vector<Region>> found =
      find_regions(read("weakspot T\n P0 ;\n" + cells + "exists (true)\n").threads[0].instructions);
  EXPECT_TRUE(found.ok());
  return found ? *found : std::vector<Region>{};
}

TEST(Structure, ForwardAndBackwardJumps) {
  EXPECT_TRUE(regions(" st x, 1 ;\n").empty());
  EXPECT_EQ((std::vector<Region>{{1, 3, false, 3}}), regions(" ld r0, x ;\n beq r0, 0, e ;\n st x, 1 ;\n e: ;\n"));
  EXPECT_EQ((std::vector<Region>{{0, 3, true, 0}}), regions(" a: ;\n ld r0, x ;\n beq r0, 0, a ;\n"));
}

TEST(Structure, OverlappingBlocksNest) {
  // 0: b e1; 1: b e2; 2: e1; 3: st; 4: e2
  EXPECT_EQ((std::vector<Region>{{0, 4, false, 4}, {0, 2, false, 2}}),
            regions(" beq r0, 0, e1 ;\n beq r0, 1, e2 ;\n e1: ;\n st x, 1 ;\n e2: ;\n"));
}

TEST(Structure, LeavingALoop) {
  // 0: a; 1: ld; 2: b e; 3: b a; 4: st; 5: e
  EXPECT_EQ((std::vector<Region>{{0, 5, false, 5}, {0, 4, true, 0}}),
            regions(" a: ;\n ld r0, x ;\n beq r0, 0, e ;\n beq r0, 1, a ;\n st x, 1 ;\n e: ;\n"));
}

TEST(Structure, JumpingIntoALoopIsRefused) {
  const base::Result<std::vector<Region>> found = find_regions(
      read("weakspot T\n P0 ;\n beq r0, 0, m ;\n a: ;\n ld r0, x ;\n m: ;\n beq r0, 1, a ;\nexists (true)\n")
          .threads[0]
          .instructions);
  EXPECT_FALSE(found.ok());
}

TEST(Layout, InterleavedIsThePublishedFormula) {
  TestEnvironment e;
  e.memory_stride = 5;
  const MemoryLayout layout = lay_out(read("weakspot T\n P0 ;\n st x, 1 ;\n st y, 1 ;\nexists (x=1)\n"), e);
  const std::uint32_t instances = 551 * 256;
  for (std::uint32_t i = 0; i < instances; i += 997) {
    EXPECT_EQ(2 * 5 * i, layout.word(0, i, instances, 419u));
    EXPECT_EQ(2 * 5 * (i * 419 % instances) + 5, layout.word(1, i, instances, 419u));
  }
}

TEST(Layout, LocationsNeverOverlap) {
  const litmus::LitmusTest test =
      read("weakspot T\n{ s64 z; shared s; }\n P0 ;\n st x, 1 ;\n st y, 1 ;\n st z, 1 ;\n st s, 1 ;\nexists (x=1)\n");
  for (const Layout kind : {Layout::interleaved, Layout::arrays}) {
    TestEnvironment e;
    e.layout = kind;
    e.memory_stride = 3;
    e.second_stride = 7;
    const MemoryLayout layout = lay_out(test, e);
    EXPECT_EQ(3u, layout.global_count());
    EXPECT_EQ(1u, layout.shared_count);
    const std::uint32_t instances = 96;
    std::set<std::uint32_t> words;
    for (std::uint32_t i = 0; i < instances; ++i) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        const std::uint32_t word = layout.word(j, i, instances, 35u);
        EXPECT_EQ(0u, word % 2);  // room for 64 bits
        EXPECT_LE(word + 2, layout.slice_words(instances));
        EXPECT_TRUE(words.insert(word).second);
      }
    }
  }
}

TEST(StressPlan, LinesAreDistinct) {
  base::Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const std::vector<std::uint32_t> lines = draw_lines(20, 16, rng);
    EXPECT_EQ(16u, std::set<std::uint32_t>(lines.begin(), lines.end()).size());
    for (const std::uint32_t line : lines) EXPECT_LT(line, 20u);
  }
}

TEST(StressPlan, EveryWorkgroupHasATargetAndEveryTargetAWorkgroup) {
  for (std::uint32_t count = 1; count <= 70; ++count) {
    for (std::uint32_t targets = 1; targets <= 16; ++targets) {
      for (const bool in_turn : {false, true}) {
        std::set<std::uint32_t> used;
        for (std::uint32_t k = 0; k < count; ++k) {
          const std::uint32_t target = target_of(k, count, targets, in_turn);
          ASSERT_LT(target, targets);
          used.insert(target);
        }
        EXPECT_EQ(std::min(count, targets), used.size());
      }
    }
  }
}

TEST(StressPlan, RowsFollowThePercentages) {
  TestEnvironment e;
  e.shuffle_percent = 50;
  e.barrier_percent = 0;
  e.memory_stress_percent = 100;
  e.pre_stress_percent = 30;
  base::Rng rng(9);
  const PlanShape shape{.testing = 10, .workgroups = 20, .rows = 1000};
  const std::vector<std::uint32_t> plan = draw_plan(e, shape, rng);
  const std::uint32_t row_words = kPlanHead + 40;
  ASSERT_EQ(std::size_t{row_words} * 1000, plan.size());
  int shuffled = 0;
  int pre = 0;
  for (std::uint32_t row = 0; row < 1000; ++row) {
    const std::uint32_t* words = plan.data() + std::size_t{row} * row_words;
    EXPECT_EQ(0u, words[kPlanFlags] & kPlanBarrier);
    EXPECT_NE(0u, words[kPlanFlags] & kPlanMemoryStress);
    pre += (words[kPlanFlags] & kPlanPreStress) != 0 ? 1 : 0;
    EXPECT_GE(words[kPlanActive], 10u);
    EXPECT_LE(words[kPlanActive], 20u);
    std::vector<std::uint32_t> order(words + kPlanHead, words + kPlanHead + 20);
    shuffled += std::is_sorted(order.begin(), order.end()) ? 0 : 1;
    std::sort(order.begin(), order.end());
    for (std::uint32_t w = 0; w < 20; ++w) EXPECT_EQ(w, order[w]);
    std::set<std::uint32_t> lines;
    for (std::uint32_t w = 0; w < 20; ++w) {
      ASSERT_LT(words[kPlanHead + 20 + w], scratch_words(e));
      lines.insert(words[kPlanHead + 20 + w] / static_cast<std::uint32_t>(e.stress_line_words));
    }
    EXPECT_EQ(static_cast<std::size_t>(e.stress_target_lines), lines.size());
  }
  EXPECT_NEAR(500, shuffled, 80);
  EXPECT_NEAR(300, pre, 80);
}

TEST(Expr, FoldsConstantsAndNeutralElements) {
  EXPECT_EQ(12u, (Expr(3u) * Expr(4u)).constant());
  const Var x{0, Width::w32};
  EXPECT_EQ(ExprNode::Kind::variable, (Expr(x) + 0u).node().kind);
  EXPECT_EQ(ExprNode::Kind::variable, (Expr(1u) * Expr(x)).node().kind);
  EXPECT_EQ(ExprNode::Kind::op, (Expr(0u) - Expr(x)).node().kind);
  EXPECT_EQ(Width::w64, mul_wide(x, 3u).width());
}

TEST(Expr, Evaluates) {
  EXPECT_EQ(0xffffffffu, evaluate(Op::sub, Width::w32, 0, 1));
  EXPECT_EQ(UINT64_MAX, evaluate(Op::sub, Width::w64, 0, 1));
  EXPECT_EQ(0xffffffffu, evaluate(Op::sar, Width::w32, 0x80000000u, 40));
  EXPECT_EQ(0u, evaluate(Op::shl, Width::w32, 1, 32));
  EXPECT_EQ(1u, evaluate(Op::lt_signed, Width::w32, 0xffffffffu, 0));
  EXPECT_EQ(0u, evaluate(Op::lt, Width::w32, 0xffffffffu, 0));
  EXPECT_EQ(UINT64_MAX, evaluate(Op::widen_signed, Width::w32, 0xffffffffu));
  EXPECT_EQ(0xfffffffe00000001u, evaluate(Op::mul_wide, Width::w32, 0xffffffffu, 0xffffffffu));
  EXPECT_EQ(7u, evaluate(Op::select, Width::w32, 0, 3, 7));
}

// The kernel that counts outcomes does not depend on how the test is run, so that devices compile it once.
TEST(TestProgram, AnEntryAloneIsTheSameInManyEnvironments) {
  const litmus::LitmusTest test = litmus::read_tests(base::Source("t",
                                                                  "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\n"
                                                                  "st y, 1 | ld r1, x ;\n"
                                                                  "exists (1:r0=1 /\\ 1:r1=0)\n"))
                                      ->front();
  const auto program = [&](const char* environment, Target target) {
    return TestProgram::compile(test, *parse_environment(base::Source("e", environment)), target, {})->program();
  };
  for (const Target target : {Target::ptx, Target::opencl, Target::spirv}) {
    const DeviceProgram one = program("workgroup_size=64,barrier=grid", target);
    const DeviceProgram other = program("workgroup_size=256,barrier=partner,pairing=half", target);
    ASSERT_EQ(2u, one.entries.size());
    EXPECT_TRUE(one.entries[0].text != other.entries[0].text || one.entries[0].words != other.entries[0].words);
    EXPECT_EQ(one.entries[1].text, other.entries[1].text);
    EXPECT_EQ(one.entries[1].words, other.entries[1].words);
    EXPECT_NE(one.entries[1].text.empty(), one.entries[1].words.empty());
  }
}

}  // namespace
}  // namespace weakspot::codegen::codegen_parts_test
