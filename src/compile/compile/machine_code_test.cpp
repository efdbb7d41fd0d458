// SPDX-License-Identifier: MIT
#include "compile/machine_code.h"

#include <gtest/gtest.h>

namespace weakspot::compile::machine_code_test {
namespace {

TEST(MachineCode, TellsMachinesApart) {
  EXPECT_EQ(machine_of("\t.text\nf:\n\tldr\tw0, [x1]\n\tret\n"), Machine::aarch64);
  EXPECT_EQ(machine_of("f:\n\tmovl\t%eax, ws_x(%rip)\n\tretq\n"), Machine::x86_64);
  EXPECT_EQ(machine_of(".version 8.5\n.target sm_70\n.address_size 64\n"), Machine::ptx);
  EXPECT_FALSE(machine_of("hello\n").has_value());
  EXPECT_FALSE(machine_of("").has_value());
}

TEST(MachineCode, FindsFunctionsWithoutWhatIsNotCode) {
  const char* text =
      "f1:\n\tret\n\t.size\tf1, .-f1\n"
      "f:                                      // @f\n\t.cfi_startproc\n// %bb.0:\n\tadrp\tx8, :got:ws_x\n"
      ".Ltmp0:\n.LBB0_1:\n\tcbnz\tw8, .LBB0_1\n\tret\n.Lfunc_end1:\n\t.size\tf, .Lfunc_end1-f\n";
  const auto function = find_function(text, Machine::aarch64, "f");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(function->lines, (std::vector<std::string>{"adrp x8, :got:ws_x", ".LBB0_1:", "cbnz w8, .LBB0_1", "ret"}));
  EXPECT_FALSE(find_function(text, Machine::aarch64, "f2").has_value());
}

TEST(MachineCode, FindsFunctionsOfPtx) {
  const char* text =
      ".visible .func f1()\n{\n\tret;\n}\n"
      ".visible .func f()                      // @f\n{\n\t.reg .b32 \t%r<3>;\n// %bb.0:\n"
      "\tld.volatile.global.u32 \t%r1, [ws_x];\n$L__BB0_1:\n\tbra.uni \t$L__BB0_1;\n}\n";
  const auto function = find_function(text, Machine::ptx, "f");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(function->lines,
            (std::vector<std::string>{"ld.volatile.global.u32 %r1, [ws_x]", "$L__BB0_1:", "bra.uni $L__BB0_1"}));
}

TEST(MachineCode, FindsInlineAssemblyOfPtx) {
  const char* text =
      ".visible .func f()\n{\n\t.reg .b32 \t%r<3>;\n\t// begin inline asm\n\t{ .reg .pred p; isspacep.local p, %rd1;\n"
      "\tselp.u32 %r1, 1, 0, p; }\n\t// end inline asm\n\tld.global.v2.u32 \t{%r1, %r2}, [%rd1];\n\tret;\n}\n";
  const auto function = find_function(text, Machine::ptx, "f");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(function->lines, (std::vector<std::string>{"isspacep.local p, %rd1", "selp.u32 %r1, 1, 0, p",
                                                       "ld.global.v2.u32 {%r1, %r2}, [%rd1]", "ret"}));
}

}  // namespace
}  // namespace weakspot::compile::machine_code_test
