// SPDX-License-Identifier: MIT
#include "compile/compare/weaker.h"

#include <gtest/gtest.h>

#include "compile/compare/smaller.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::compile::weaker_test {
namespace {

using tests::read_one;

std::vector<std::string> texts(const litmus::LitmusTest& test) {
  std::vector<std::string> list;
  for (const Weaker& weaker : weaker_tests(test)) list.push_back(weaker_text(test, weaker));
  return list;
}

TEST(Weaker, WeakensOneInstructionAtATime) {
  EXPECT_EQ(texts(read_one("AArch64 T\n{ 0:X1=x; }\n P0 ;\n LDAR W0,[X1] ;\n DMB ISH ;\n STLR W0,[X1] ;\n"
                           "exists (0:X0=1)\n")),
            (std::vector<std::string>{"P0 `LDAR W0,[X1]` could be `LDAPR W0,[X1]`",
                                      "P0 `LDAR W0,[X1]` could be `LDR W0,[X1]`", "P0 `DMB ISH` could be `DMB ISHLD`",
                                      "P0 `DMB ISH` could be `DMB ISHST`", "P0 `DMB ISH` is not needed",
                                      "P0 `STLR W0,[X1]` could be `STR W0,[X1]`"}));
}

TEST(Weaker, KeepsAnExchangeWhoseOldValueIsNeeded) {
  EXPECT_EQ(texts(read_one("X86_64 T\n{}\n P0 ;\n MOV EAX,1 ;\n XCHG [x],EAX ;\nexists (0:RAX=1)\n")).size(), 0u);
  EXPECT_EQ(texts(read_one("X86_64 T\n{}\n P0 ;\n MOV EAX,1 ;\n XCHG [x],EAX ;\n MFENCE ;\nexists (x=1)\n")).size(),
            2u);
}

TEST(Smaller, LeavesOutThreadsAndInstructions) {
  const std::vector<litmus::LitmusTest> tests = smaller_tests(read_one(
      "weakspot MP\n P0          | P1           ;\n st x, 1     | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x     ;\n"
      "exists (1:r0=1 /\\ 1:r1=0 /\\ x=1)\n"));
  ASSERT_EQ(tests.size(), 6u);
  EXPECT_EQ(tests[0].threads.size(), 1u);
  EXPECT_EQ(tests[0].observed().size(), 3u);
  EXPECT_EQ(tests[1].observed().size(), 1u);
  EXPECT_EQ(tests[5].threads[1].instructions.size(), 1u);
  EXPECT_EQ(tests[5].observed().size(), 2u);
}

}  // namespace
}  // namespace weakspot::compile::weaker_test
