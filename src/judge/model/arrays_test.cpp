// SPDX-License-Identifier: MIT
// Arrays and pairs of registers: elements are locations of their own that an address reaches by its offset.
#include <gtest/gtest.h>

#include <string>

#include "litmus/text.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model::arrays_test {
namespace {

using Reach = Verdict::Reach;

Verdict verdict_of(const std::string& text, const char* model) {
  const litmus::LitmusTest test = tests::read_one(text);
  return judge(test, *load_model(model));
}

Reach reach(const std::string& text, const char* model) { return verdict_of(text, model).reach; }

std::string outcomes(const std::string& text, const char* model) {
  const litmus::LitmusTest test = tests::read_one(text);
  std::string lines;
  for (const litmus::Outcome& outcome : judge(test, *load_model(model)).outcomes) {
    lines += litmus::outcome_text(test, outcome) + "\n";
  }
  return lines;
}

TEST(Arrays, ElementsHoldTheirOwnValues) {
  EXPECT_EQ(outcomes("weakspot T\n{ s32 a[3] = {1, 2, 3}; }\n P0 ;\n ld r0, a[1] ;\n st a[2], r0 ;\n"
                     "locations [a;]\nexists (0:r0=2)\n",
                     "sc"),
            "0:r0=2; a[0]=1; a[1]=2; a[2]=2;\n");
}

TEST(Arrays, AnIndexDecidesWhichElementIsRead) {
  const std::string text =
      "C T\n{ int a[2] = {7, 8}; }\nP0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
      "P1 (atomic_int* x, int* a) {\n  int i = atomic_load_explicit(x, memory_order_relaxed);\n  int r = a[i];\n}\n"
      "exists (1:r=8)\n";
  EXPECT_EQ(outcomes(text, "c11"), "1:r=7;\n1:r=8;\n");
}

TEST(Arrays, AnIndexOutsideIsUnknown) {
  const Verdict verdict = verdict_of(
      "C T\n{ int a[2]; x = 2; }\nP0 (int* x, int* a) {\n  int i = *x;\n  int r = a[i];\n}\nexists (0:r=1)\n", "c11");
  EXPECT_EQ(verdict.reach, Reach::unknown);
  EXPECT_EQ(verdict.reason, "P0 may access 8 bytes into 'a', which is outside every location");
}

TEST(Arrays, MessagePassingThroughElements) {
  auto text = [](const char* store, const char* load) {
    return std::string("AArch64 T\n{ int a[2]; 0:X1=a; 1:X1=a; 0:X2=a+4; 1:X2=a[1]; }\n P0 | P1 ;\n MOV W0,#1 | ") +
           load + " W3,[X2] ;\n STR W0,[X1] | LDR W4,[X1] ;\n " + store + " W0,[X2] | ;\nexists (1:X3=1 /\\ 1:X4=0)\n";
  };
  EXPECT_EQ(reach(text("STR", "LDR"), "aarch64"), Reach::allowed);
  EXPECT_EQ(reach(text("STLR", "LDAR"), "aarch64"), Reach::forbidden);
  EXPECT_EQ(reach(text("STR", "LDR"), "sc"), Reach::forbidden);
}

TEST(Arrays, AnAccessOfTwoElementsIsCut) {
  const std::string code = "int a[2]={1,2}; 0:X1=a; }\n P0 ;\n LDR X0,[X1] ;\nlocations [0:X0;a;]\n";
  EXPECT_EQ(outcomes("AArch64 T\n{ int64_t 0:X0; " + code, "aarch64"), "0:X0=8589934593; a[0]=1; a[1]=2;\n");
  // A register without a declaration is an int.
  EXPECT_EQ(outcomes("AArch64 T\n{ " + code, "aarch64"), "0:X0=1; a[0]=1; a[1]=2;\n");
}

TEST(Arrays, AddressesOfElementsAreValues) {
  EXPECT_EQ(outcomes("C T\n{ int a[2] = {7, 8}; int* p = &a[1]; }\nP0 (int** p) { int* q = *p; int r = *q; }\n"
                     "exists (0:r=8)\n",
                     "c11"),
            "0:r=8;\n");
}

// Nothing orders the two loads, nor the two stores.
TEST(Pairs, AreInNoOrder) {
  const std::string loads =
      "AArch64 T\n{ int a[2]; 0:X1=a; 1:X1=a; }\n P0 | P1 ;\n MOV W0,#1 | LDP W3,W4,[X1] ;\n STR W0,[X1,#4] | ;\n"
      " DMB SY | ;\n STR W0,[X1] | ;\n";
  EXPECT_EQ(reach(loads + "exists (1:X3=1 /\\ 1:X4=0)\n", "aarch64"), Reach::allowed);
  EXPECT_EQ(reach(loads + "exists (1:X3=1 /\\ 1:X4=2)\n", "aarch64"), Reach::forbidden);
  const std::string stores =
      "AArch64 T\n{ int a[2]; 0:X1=a; 1:X1=a; }\n P0 | P1 ;\n MOV W0,#1 | LDR W3,[X1,#4] ;\n STP W0,W0,[X1] | DMB SY "
      ";\n"
      " | LDR W4,[X1] ;\nexists (1:X3=1 /\\ 1:X4=0)\n";
  EXPECT_EQ(reach(stores, "aarch64"), Reach::allowed);
}

TEST(Pairs, AreOrderedWithWhatIsAroundThem) {
  const std::string text =
      "AArch64 T\n{ int a[2]; int f; 0:X1=a; 0:X2=f; 1:X1=a; 1:X2=f; }\n P0 | P1 ;\n MOV W0,#1 | LDAR W5,[X2] ;\n"
      " STP W0,W0,[X1] | LDP W3,W4,[X1] ;\n STLR W0,[X2] | ;\nexists (1:X5=1 /\\ (1:X3=0 \\/ 1:X4=0))\n";
  EXPECT_EQ(reach(text, "aarch64"), Reach::forbidden);
}

}  // namespace
}  // namespace weakspot::model::arrays_test
