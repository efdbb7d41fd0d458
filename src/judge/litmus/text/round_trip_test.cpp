// SPDX-License-Identifier: MIT
// Texts that are easy to print such that they do not read back, and tests that must not pass for well formed.
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "support/read_one.h"

namespace weakspot::litmus::round_trip_test {
namespace {

using tests::read_one;

std::string first_mistake(const std::string& text) {
  const base::Result<std::vector<LitmusTest>> tests = read_tests(base::Source("test", text));
  return tests ? "none" : tests.errors()[0].message;
}

class RoundTrip : public ::testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, PrintedFormsReadBack) {
  const LitmusTest test = read_one(GetParam());
  for (Dialect dialect : {Dialect::canonical, Dialect::json}) {
    const std::string printed = *print(test, dialect);
    EXPECT_EQ(read_one(printed), test) << printed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RoundTrip,
    ::testing::Values(
        // The header: values that start with '=', quotes in quotes, empty lines around a description.
        "weakspot A\nKey= =x\nOther==> y\n P0 ;\nexists (true)\n",
        "weakspot A\n\"the \"quoted\" word\"\n P0 ;\nexists (true)\n",
        "weakspot A\n\"\"\n\"a\n\n\"\n P0 ;\nexists (true)\n", "weakspot A\n\"a\" (* \"b\" *)\n P0 ;\nexists (true)\n",
        // Names that mean something elsewhere.
        "weakspot A\n{ global = 1; int aliases global; volatile @ texture aliases int; }\n P0 ;\nexists (int=1)\n",
        "weakspot A\n P0 ;\n exists: ;\n b exists ;\nexists (true)\n",
        // A location that another one names, declared after a third.
        "weakspot A\n{ b; x = &c; }\n P0 ;\n st.s64 x, 1 ;\nexists (b=1 /\\ c=1)\n",
        // A constant that is cut by a narrow store, and a register that is.
        "weakspot A\n{ u16 x; 0:r0 = 70000; }\n P0 ;\n st x, r0 ;\nexists (x=4464)\n",
        "weakspot A\n{ 0:u8 r0 = -1; }\n P0 ;\n st x, r0 ;\nexists (x=255)\n",
        // The suffixes of fences and barriers.
        "weakspot A\n P0 ;\n fence.acqrel.wg.av.vis.semsc2.semsc3 ;\n bar.acqrel.memdev.av.vis.semsc0 1 ;\nexists "
        "(true)\n",
        "weakspot A\n P0 ;\n st.na.wg.av x, 1 ;\n ld.na.qf.vis r0, x ;\nexists (true)\n"));

TEST(NormalForm, KeepsTheScopeOfAvailableAndVisibleAccessesOnly) {
  const LitmusTest test = read_one(
      "weakspot A\n P0 ;\n st.na.wg x, 1 ;\n st.na.wg.av x, 1 ;\n ld.na.sg.vis r0, x ;\n"
      "exists (true)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_EQ(access_of(code[0])->scope, Scope::device);
  EXPECT_EQ(access_of(code[1])->scope, Scope::workgroup);
  EXPECT_EQ(access_of(code[2])->scope, Scope::subgroup);
}

TEST(NormalForm, ConstantsAreAsTheirRegistersHoldThem) {
  const LitmusTest test = read_one(
      "weakspot A\n{ u16 x; u8 y; 0:r0 = 70000; 0:u8 r1 = -1; }\n P0 ;\n st x, r0 ;\n"
      " st.s32 z, r1 ;\nexists (true)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_EQ(std::get<Store>(code[0].operation).value, Operand(integer(4464)));
  EXPECT_EQ(std::get<Store>(code[1].operation).value, Operand(integer(255)));
}

TEST(NormalForm, WhatAFenceHasNoUseForDisappears) {
  LitmusTest test = read_one("weakspot A\n P0 ;\n mfence ;\nexists (true)\n");
  LitmusTest told_more = test;
  auto& fence = std::get<Fence>(told_more.threads[0].instructions[0].operation);
  fence.order = Order::release;
  fence.scope = Scope::workgroup;
  fence.semantics.insert(Space::storage0);
  fence.accesses = FenceAccesses::loads;
  normalize(told_more);
  EXPECT_EQ(told_more, test);
}

TEST(WellFormed, Mistakes) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"weakspot A\n{ x; 0:r0 = 100; }\n P0 ;\n ld r1, x+r0 ;\nexists (true)\n",
       "an access of 4 bytes at offset 100 does not lie within 'x', which has type s32"},
      {"weakspot A\n P0 ;\n ld r1, x+9223372036854775807 ;\nexists (true)\n",
       "an access of 4 bytes at offset 9223372036854775807 does not lie within 'x', which has type s32"},
      {"weakspot A\n{ 0:r1 = 9223372036854775807; 0:s64 r0 = 9223372036854775807; }\n P0 ;\n ld r2, x+r0+1 ;\n"
       "exists (true)\n",
       "9223372036854775807 does not fit register 'r1', which has type s32"},
      {"weakspot A\n{ 0:s64 r0 = 9223372036854775807; }\n P0 ;\n ld r2, x+r0+1 ;\nexists (true)\n",
       "an access of 4 bytes at offset -9223372036854775808 does not lie within 'x', which has type s32"},
      {"weakspot A\n{ x aliases y; y aliases z; z aliases y; }\n P0 ;\nexists (true)\n",
       "location 'y' is an alias of itself"},
      {"weakspot A\n P0 ;\n ld r0, true ;\nexists ([true]=1)\n", "a location cannot be called 'true'"},
      {"weakspot A\n P0 ;\n atom.cas.failrel r0, x, 0, 1 ;\nexists (true)\n",
       "a failed compare-and-swap is a load and cannot be 'rel'"},
      {"weakspot A\n P0 ;\n fence.rel.proxy.alias ;\nexists (true)\n", "unknown suffix '.proxy' of 'fence'"},
      {"weakspot A\n P0 ;\n membar.av ;\nexists (true)\n", "unknown suffix '.av' of 'membar'"},
      {"weakspot A\n P0 ;\n fence.rel.acq ;\nexists (true)\n", "'.acq' repeats or contradicts another suffix"},
      {"weakspot A\n P0 ;\n bar.wg.dev ;\nexists (true)\n", "'.dev' repeats or contradicts another suffix"},
      {"weakspot A\nExpect=\"m\" allowed\n P0 ;\nexists (true)\n",
       "expected a model and 'allowed' or 'forbidden', found 'allowed'"},
  };
  for (const auto& [text, message] : kCases) EXPECT_EQ(first_mistake(text), message) << text;
}

TEST(WellFormed, PropositionsAreNotNestedWithoutEnd) {
  auto nested = [](int depth) {
    std::string text = "weakspot A\n P0 ;\nexists ";
    for (int i = 0; i < depth; ++i) text += "x=0 => ";
    return text + "x=1\n";
  };
  const std::string declared = "{ x; }\n P0";
  auto with_location = [&](std::string text) { return text.replace(text.find(" P0"), 3, declared); };
  const LitmusTest deep = read_one(with_location(nested(99)));
  EXPECT_EQ(read_one(*print(deep, Dialect::canonical)), deep);
  EXPECT_EQ(read_one(*print(deep, Dialect::json)), deep);
  EXPECT_EQ(first_mistake(with_location(nested(100))), "the proposition is nested more than 100 deep");
  EXPECT_EQ(first_mistake(with_location(nested(100000))), "the proposition is nested more than 200 deep");
}

}  // namespace
}  // namespace weakspot::litmus::round_trip_test
