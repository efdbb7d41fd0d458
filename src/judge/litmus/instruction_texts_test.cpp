// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::instruction_texts_test {
namespace {

using Texts = std::vector<std::vector<std::string>>;

TEST(InstructionTexts, AreThoseOfTheDialect) {
  EXPECT_EQ(instruction_texts(tests::read_one("weakspot t\n P0 | P1 ;\n st.rel x, 1 | ld r0, x ;\nexists (1:r0=1)\n")),
            (Texts{{"st.rel x, 1"}, {"ld r0, x"}}));
  EXPECT_EQ(instruction_texts(tests::read_one(
                "PTX t\n{}\n P0 ;\n st.release.gpu x, 1 ;\n fence.sc.gpu ;\n ld.weak r0, y ;\nexists (0:r0=1)\n")),
            (Texts{{"st.release.gpu x, 1", "fence.sc.gpu", "ld.weak r0, y"}}));
  EXPECT_EQ(
      instruction_texts(tests::read_one("C t\n{}\nP0 (atomic_int *x, int *y) {\n  *y = 1;\n"
                                        "  atomic_store_explicit(x, 1, memory_order_release);\n}\nexists (x=1)\n")),
      (Texts{{"*y = 1", "atomic_store_explicit(x, 1, memory_order_release)"}}));
  EXPECT_EQ(instruction_texts(tests::read_one("X86_64 t\n{}\n P0 ;\n MOV [x],$1 ;\n MFENCE ;\nexists (x=1)\n")),
            (Texts{{"MOV [x],$1", "MFENCE"}}));
}

// The file is not in Vulkan's dialect, though the test is for Vulkan.
TEST(InstructionTexts, AreCanonicalInACanonicalFile) {
  const LitmusTest test = tests::read_one(
      "weakspot t\nArch=vulkan\n{ sc0 x; }\n P0 ;\n st.rel.semsc0 x, 1 ;\n ld.na r0, x ;\nexists (0:r0=1)\n");
  EXPECT_EQ(instruction_texts(test), (Texts{{"st.rel.semsc0 x, 1", "ld.na r0, x"}}));
  const base::Result<LitmusTest> adapted = adapt(test, Dialect::vulkan);
  ASSERT_TRUE(adapted.ok());
  EXPECT_EQ(instruction_texts(*adapted), (Texts{{"st.atom.rel.dv.sc0.semsc0 x, 1", "ld.sc0 r0, x"}}));
}

// Every dialect that can hold the test gives one text per instruction.
TEST(InstructionTexts, AreOnePerInstruction) {
  const LitmusTest generic = tests::read_one(
      "weakspot t\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n fence.sc | fence.sc ;\n atom.add r1, y, 2 | st y, r0 ;\n"
      "exists (1:r0=1)\n");
  for (Dialect dialect : {Dialect::ptx, Dialect::vulkan, Dialect::opencl, Dialect::c11, Dialect::aarch64}) {
    const base::Result<LitmusTest> test = adapt(generic, dialect);
    if (!test) continue;
    const Texts texts = instruction_texts(*test);
    ASSERT_EQ(texts.size(), test->threads.size());
    for (std::size_t t = 0; t < texts.size(); ++t) {
      EXPECT_EQ(texts[t].size(), test->threads[t].instructions.size()) << to_string(dialect);
    }
  }
}

}  // namespace
}  // namespace weakspot::litmus::instruction_texts_test
