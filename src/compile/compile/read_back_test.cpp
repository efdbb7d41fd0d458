// SPDX-License-Identifier: MIT
// Code that clang 19 and GCC 12 wrote, read back as tests.
#include "compile/read_back.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::compile::read_back_test {
namespace {

using tests::read_one;

// One thread that observes r0 and r1, and the location y.
const char* const kSource =
    "weakspot T\n P0       ;\n ld r0, x ;\n ld r1, x ;\n st y, 1  ;\nexists (0:r0=1 /\\ 0:r1=1 /\\ y=1)\n";

MachineFunction function_of(Machine machine, const std::string& code) {
  const std::string head = machine == Machine::ptx ? ".visible .func f()\n{\n" : "f:\n";
  const std::string tail = machine == Machine::ptx ? "}\n" : "\t.size f, .-f\n";
  return *find_function(head + code + tail, machine, "f");
}

// The columns of the compiled test, or why there is none.
std::string read(Machine machine, const std::string& code, const char* source = kSource) {
  const MachineFunction function = function_of(machine, code);
  const base::Result<CompiledTest> compiled = read_back(read_one(source), {&function});
  if (!compiled) return base::messages(compiled.errors());
  const base::Result<std::string> text = litmus::print(compiled->test, litmus::dialect_of(compiled->test.arch));
  if (!text) return base::messages(text.errors());
  const std::size_t begin = text->find(";\n", text->find(" P0")) + 2;
  return text->substr(begin, text->find("\nlocations", begin) - begin + 1);
}

const char* const kStoreArm =
    "\tadrp\tx8, :got:wsout_r0\n\tldr\tx8, [x8, :got_lo12:wsout_r0]\n\tstr\tw9, [x8]\n"
    "\tadrp\tx8, wsout_r1\n\tadd\tx8, x8, :lo12:wsout_r1\n\tstr\tw10, [x8]\n\tret\n";

TEST(ReadBack, AddressesOfAArch64) {
  EXPECT_EQ(read(Machine::aarch64,
                 "\tadrp\tx8, :got:ws_x\n\tldr\tx8, [x8, :got_lo12:ws_x]\n\tldar\tw9, [x8]\n"
                 "\tadrp\tx8, ws_x\n\tldr\tw10, [x8, :lo12:ws_x]\n"
                 "\tadrp\tx8, ws_y\n\tadd\tx8, x8, :lo12:ws_y\n\tmov\tw11, #1\n\tstlr\tw11, [x8]\n" +
                     std::string(kStoreArm)),
            " MOV X8,X0    ;\n LDAR W9,[X8] ;\n LDR W10,[X0] ;\n MOV X8,X1    ;\n STLR W2,[X8] ;\n MOV W28,W9   ;\n"
            " MOV W27,W10  ;\n");
}

// Helpers that GCC and clang call where the machine may lack the instructions, and saved registers.
TEST(ReadBack, HelpersOfAArch64) {
  EXPECT_EQ(read(Machine::aarch64,
                 "\tstp\tx29, x30, [sp, #-32]!\n\tstr\tx19, [sp, #16]\n\tmov\tx29, sp\n"
                 "\tadrp\tx1, ws_x\n\tadd\tx1, x1, :lo12:ws_x\n\tmov\tw0, 2\n\tbl\t__aarch64_ldadd4_acq_rel\n"
                 "\tmov\tw9, w0\n\tmov\tw0, wzr\n\tmov\tw1, #1\n\tadrp\tx2, ws_x\n\tadd\tx2, x2, :lo12:ws_x\n"
                 "\tbl\t__aarch64_cas4_acq\n\tmov\tw10, w0\n"
                 "\tldr\tx19, [sp, #16]\n\tldp\tx29, x30, [sp], #32\n" +
                     std::string(kStoreArm)),
            " MOV X1,X2          ;\n MOV W0,#2          ;\n LDADDAL W0,W0,[X1] ;\n MOV W9,W0          ;\n"
            " MOV W0,#0          ;\n MOV X1,#1          ;\n CASA W0,W1,[X2]    ;\n MOV W10,W0         ;\n"
            " MOV W27,W9         ;\n MOV W26,W10        ;\n");
}

// A loop around a store-exclusive: it succeeds, or the execution does not count.
TEST(ReadBack, LoopsOfAArch64) {
  const std::string code =
      "\tadrp\tx8, ws_x\n\tadd\tx8, x8, :lo12:ws_x\n.LBB0_1:\n\tldaxr\tw9, [x8]\n\tadd\tw10, w9, #1\n"
      "\tstlxr\tw11, w10, [x8]\n\tcbnz\tw11, .LBB0_1\n";
  const MachineFunction function = function_of(Machine::aarch64, code + kStoreArm);
  const base::Result<CompiledTest> compiled = read_back(read_one(kSource), {&function});
  ASSERT_TRUE(compiled.ok()) << base::messages(compiled.errors());
  EXPECT_TRUE(compiled->test.filter.has_value());
  EXPECT_EQ(read(Machine::aarch64, code + kStoreArm).find("CBNZ"), std::string::npos);
}

TEST(ReadBack, StackOfAArch64) {
  EXPECT_EQ(read(Machine::aarch64,
                 "\tsub\tsp, sp, #16\n\tadrp\tx8, ws_x\n\tldr\tw9, [x8, :lo12:ws_x]\n\tstr\tw9, [sp, #12]\n"
                 "\tldr\tw10, [sp, #12]\n\tadd\tsp, sp, #16\n" +
                     std::string(kStoreArm)),
            " LDR W9,[X0] ;\n MOV W29,W9  ;\n MOV W10,W29 ;\n MOV W28,W9  ;\n MOV W27,W10 ;\n");
}

const char* const kStoreX86 =
    "\tmovl\t%eax, wsout_r0(%rip)\n\tmovq\twsout_r1@GOTPCREL(%rip), %rdx\n\tmovl\t%ecx, (%rdx)\n\tretq\n";

TEST(ReadBack, AddressesOfX86) {
  EXPECT_EQ(read(Machine::x86_64,
                 "\tmovq\tws_x@GOTPCREL(%rip), %rdi\n\tmovl\t(%rdi), %eax\n\tmovl\tws_x(%rip), %ecx\n"
                 "\tmovl\t$1, %esi\n\txchgl\t%esi, ws_y(%rip)\n\tlock orq\t$0, (%rsp)\n"
                 "\tlock\t\txaddl\t%eax, (%rdi)\n" +
                     std::string(kStoreX86)),
            " movl (x),%eax       ;\n movl (x),%ecx       ;\n movl $1,%esi        ;\n xchgl %esi,(y)      ;\n"
            " mfence              ;\n lock xaddl %eax,(x) ;\n movl %eax,%r15d     ;\n movl %ecx,%r14d     ;\n");
}

TEST(ReadBack, Ptx) {
  EXPECT_EQ(read(Machine::ptx,
                 "\tld.volatile.global.u32 \t%r1, [ws_x];\n\tmov.u64 \t%rd1, ws_x;\n"
                 "\tatom.acq_rel.gpu.global.add.u32 \t%r2, [%rd1], 1;\n\tfence.sc.sys;\n"
                 "\tst.release.gpu.global.u32 \t[ws_y], 1;\n"
                 "\tst.global.u32 \t[wsout_r0], %r1;\n\tst.global.u32 \t[wsout_r1], %r2;\n\tret;\n"),
            " ld.volatile.global.u32 r1, x             ;\n atom.acq_rel.gpu.global.add.u32 r2, x, 1 ;\n"
            " fence.sc.sys                             ;\n st.release.gpu.global.u32 y, 1           ;\n"
            " ld result_r0, r1                         ;\n ld result_r1, r2                         ;\n");
}

// SPIR-V comes as cells of the canonical form.
TEST(ReadBack, Spirv) {
  MachineFunction function;
  function.machine = Machine::spirv_vulkan;
  function.lines = {"ld.rlx.dev.sc0 r30, x", "ld.na.sc0.nonpriv r31, x", "st.rel.dev.sc0.semsc0.av y, 1",
                    "mov result_r0, r30", "mov result_r1, r31"};
  const base::Result<CompiledTest> compiled = read_back(read_one(kSource), {&function});
  ASSERT_TRUE(compiled.ok()) << base::messages(compiled.errors());
  EXPECT_EQ(compiled->test.arch, litmus::Arch::vulkan);
  EXPECT_EQ(compiled->test.observed().size(), 3u);
  function.misread = "a call";
  EXPECT_EQ(base::messages(read_back(read_one(kSource), {&function}).errors()),
            "the code of P0 is not understood: a call");
}

TEST(ReadBack, NamesWhatItDoesNotUnderstand) {
  EXPECT_EQ(read(Machine::aarch64, "\tbl\tabort\n\tret\n"), "the code of P0 is not understood: the code calls 'abort'");
  EXPECT_EQ(read(Machine::aarch64, "\tret\n"), "the code of P0 does not store 'r0'");
  EXPECT_EQ(read(Machine::x86_64, "\tjmp\t*%rax\n\tret\n"), "the code of P0 is not understood: a computed jump");
  EXPECT_EQ(read(Machine::ptx, "\tld.global.u32 \t%r1, [wsout_r0];\n\tret;\n"),
            "the code of P0 is not understood: the result is reached by 'ld.global.u32'");
}

}  // namespace
}  // namespace weakspot::compile::read_back_test
