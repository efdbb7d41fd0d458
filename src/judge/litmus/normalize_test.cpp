// SPDX-License-Identifier: MIT
#include "litmus/normalize.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus::normalize_test {
namespace {

using tests::read_one;

// Two texts that must give the same test.
struct Same {
  const char* what;
  const char* text;
  const char* normal;
};

class Normalize : public testing::TestWithParam<Same> {};

TEST_P(Normalize, GivesTheNormalForm) {
  const LitmusTest test = read_one(GetParam().text);
  EXPECT_EQ(*print(test, Dialect::canonical), *print(read_one(GetParam().normal), Dialect::canonical));
  EXPECT_EQ(test, read_one(GetParam().normal));
  LitmusTest again = test;
  normalize(again);
  EXPECT_EQ(again, test);
}

INSTANTIATE_TEST_SUITE_P(
    All, Normalize,
    testing::Values(Same{"an address register that is never written is its location",
                         "weakspot t\n{ 0:r1 = &x }\nP0 ;\nst [r1], 1 ;\nexists (x=1)",
                         "weakspot t\nP0 ;\nst x, 1 ;\nexists (x=1)"},
                    Same{"a constant in a register is an immediate",
                         "weakspot t\n{ 0:r1 = 7 }\nP0 ;\nmov r0, 1 ;\nst x, r0 ;\nst y, r1 ;\nexists (x=1)",
                         "weakspot t\nP0 ;\nst x, 1 ;\nst y, 7 ;\nexists (x=1)"},
                    Same{"constants move through chains",
                         "weakspot t\nP0 ;\nmov r0, 1 ;\nmov r1, r0 ;\nst x, r1 ;\nexists (x=1)",
                         "weakspot t\nP0 ;\nst x, 1 ;\nexists (x=1)"},
                    Same{"an address made by a move", "weakspot t\nP0 ;\nmov r0, &x ;\nld r1, [r0] ;\nexists (0:r1=1)",
                         "weakspot t\nP0 ;\nld r1, x ;\nexists (0:r1=1)"},
                    Same{"a constant index is an offset",
                         "weakspot t\n{ u64 x; 0:r2 = 4 }\nP0 ;\nld.s32 r1, x+r2 ;\nexists (0:r1=1)",
                         "weakspot t\n{ u64 x }\nP0 ;\nld.s32 r1, x+4 ;\nexists (0:r1=1)"},
                    Same{"unused registers and repeated observations go",
                         "weakspot t\n{ y; 0:r5 = 3 }\nP0 ;\nst x, 1 ;\nlocations [x; y; x;]\nexists (x=1 /\\ y=0)",
                         "weakspot t\n{ y }\nP0 ;\nst x, 1 ;\nexists (x=1 /\\ y=0)"}),
    [](const testing::TestParamInfo<Same>& one) { return "case" + std::to_string(one.index); });

TEST(NormalizeKeeps, WhatMayChange) {
  // Written twice, guarded, observed, behind a label, or used before: the mov stays.
  const char* const texts[] = {
      "weakspot t\nP0 ;\nmov r0, 1 ;\nst x, r0 ;\nmov r0, 2 ;\nst x, r0 ;\nexists (x=1)",
      "weakspot t\nP0 ;\nld r1, x ;\n@r1 mov r0, 1 ;\nst x, r0 ;\nexists (x=1)",
      "weakspot t\nP0 ;\nmov r0, 1 ;\nst x, r0 ;\nexists (0:r0=1)",
      "weakspot t\nP0 ;\nL: ;\nst x, r0 ;\nmov r0, 1 ;\nld r1, x ;\nbeq r1, 0, L ;\nexists (x=1)",
      "weakspot t\nP0 ;\nst x, r0 ;\nmov r0, 1 ;\nst y, r0 ;\nexists (x=1)",
  };
  for (const char* text : texts) {
    EXPECT_NE(print(read_one(text), Dialect::canonical)->find("mov r0, "), std::string::npos) << text;
  }
}

TEST(Validate, FindsWhatMakesNoSense) {
  struct {
    const char* program;
    const char* message;
  } cases[] = {
      {"ld.rel r0, x ;", "a load cannot be 'rel'; expected na, rlx, con, acq, acqpc or sc"},
      {"ld.acqrel r0, x ;", "a load cannot be 'acqrel'; expected na, rlx, con, acq, acqpc or sc"},
      {"st.acq x, 1 ;", "a store cannot be 'acq'; expected na, rlx, rel or sc"},
      {"st.con x, 1 ;", "a store cannot be 'con'; expected na, rlx, rel or sc"},
      {"atom.add.na r0, x, 1 ;", "a read-modify-write cannot be non-atomic"},
      {"fence.na ;", "a fence needs an order; expected rlx, acq, rel, acqrel or sc"},
      {"b L ;", "this thread has no label 'L'"},
      {"L: ; L: ;", "label 'L' is defined twice in this thread"},
      {"st x, 4294967296 ;", "4294967296 does not fit the access, which has type s32"},
      {"ld.u64 r0, x ;", "an access of 8 bytes at offset 0 does not lie within 'x', which has type s32"},
      {"ld r0, x+4 ;", "an access of 4 bytes at offset 4 does not lie within 'x', which has type s32"},
  };
  for (const auto& c : cases) {
    const std::string text = std::string("weakspot t\n{ x }\nP0 ;\n") + c.program + "\nexists (true)\n";
    base::Result<std::vector<LitmusTest>> tests = read_tests(base::Source("t", text));
    ASSERT_FALSE(tests.ok()) << c.program;
    EXPECT_EQ(tests.errors().at(0).message, c.message);
    EXPECT_EQ(tests.errors().at(0).position.line, 4u);
  }
}

}  // namespace
}  // namespace weakspot::litmus::normalize_test
