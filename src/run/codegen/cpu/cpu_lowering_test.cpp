// SPDX-License-Identifier: MIT
// Checks the instructions that a thread of a test becomes, for both instruction sets on every machine.
#include <gtest/gtest.h>

#include "base/source.h"
#include "codegen/cpu_program.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"

namespace weakspot::codegen::cpu_lowering_test {
namespace {

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TargetLimits limits(CpuIsa isa, bool lse = true, bool rcpc = true) {
  TargetLimits limits;
  limits.cpu = {isa, lse, rcpc};
  return limits;
}

TestEnvironment arrays() {
  TestEnvironment environment;
  environment.layout = Layout::arrays;
  return environment;
}

std::string listing(const std::string& text, const TargetLimits& limits,
                    const TestEnvironment& environment = arrays()) {
  const base::Result<TestProgram> program = TestProgram::compile(read(text), environment, Target::cpu, limits);
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  return program ? program->program().text : "";
}

std::string errors(const std::string& text, const TargetLimits& limits) {
  const base::Result<TestProgram> program = TestProgram::compile(read(text), arrays(), Target::cpu, limits);
  return program ? "" : base::render(program.errors());
}

// The code of one thread's instructions, between the top of the loop and the step to the next instance, on one line.
std::string body(const std::string& listing, const TargetLimits& limits) {
  const bool arm = limits.cpu.isa == CpuIsa::aarch64;
  std::string result;
  bool inside = false;
  std::size_t begin = 0;
  for (std::size_t end = listing.find('\n'); end != std::string::npos; end = listing.find('\n', begin)) {
    std::string line = listing.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with(arm ? "  add x4, x4, #" : "  add rsi, ") ||
        line.starts_with(arm ? "  sub x2, x2, #1" : "  sub rdx, 1")) {
      if (inside) return result;
      continue;
    }
    if (inside) result += (result.empty() ? "" : "; ") + line.substr(line.find_first_not_of(' '));
    if (line.starts_with("L")) inside = true;
  }
  return result;
}

std::string code(const std::string& cells, const TargetLimits& limits, const std::string& init = "") {
  return body(listing("weakspot T\n" + init + " P0 ;\n" + cells + "\nforall (true)\n", limits), limits);
}

struct Case {
  const char* cell;
  const char* aarch64;
  const char* x86_64;
};

TEST(CpuLowering, OrdersOfAccessesAndFences) {
  const Case cases[] = {
      {"ld r0, x ;", "ldr w5, [x4]", "mov edi, dword ptr [rsi]"},
      {"ld.na r0, x ;", "ldr w5, [x4]", "mov edi, dword ptr [rsi]"},
      {"ld.acq r0, x ;", "ldapr w5, [x4]", "mov edi, dword ptr [rsi]"},
      {"ld.sc r0, x ;", "ldar w5, [x4]", "mov edi, dword ptr [rsi]"},
      {"st x, 1 ;", "mov w17, #1; str w17, [x4]", "mov ecx, 1; mov dword ptr [rsi], ecx"},
      {"st.na x, 0 ;", "str wzr, [x4]", "mov ecx, 0; mov dword ptr [rsi], ecx"},
      {"st.rel x, 1 ;", "mov w17, #1; stlr w17, [x4]", "mov ecx, 1; mov dword ptr [rsi], ecx"},
      {"st.sc x, 1 ;", "mov w17, #1; stlr w17, [x4]", "mov ecx, 1; xchg dword ptr [rsi], ecx"},
      {"fence.acq ;", "dmb ishld", ""},
      {"fence.rel ;", "dmb ish", ""},
      {"fence.acqrel ;", "dmb ish", ""},
      {"fence.sc ;", "dmb ish", "mfence"},
      {"fence.sc.wg ;", "dmb ish", "mfence"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(one.aarch64, code(one.cell, limits(CpuIsa::aarch64))) << one.cell;
    EXPECT_EQ(one.x86_64, code(one.cell, limits(CpuIsa::x86_64))) << one.cell;
  }
  EXPECT_EQ("ldar w5, [x4]", code("ld.acq r0, x ;", limits(CpuIsa::aarch64, true, false)));
}

TEST(CpuLowering, Selects) {
  const Case cases[] = {
      {"ld r0, x ; sel.eq r1, r0, 1, r0, 2 ;",
       "ldr w5, [x4]; mov w0, #2; mov w17, #1; cmp w5, w17; csel w6, w5, w0, eq",
       "mov edi, dword ptr [rsi]; mov r11d, 2; mov ecx, 1; cmp edi, ecx; mov r8d, r11d; cmove r8d, edi"},
      {"ld r0, x ; sel.lt r0, r0, 1, r0, 0 ;", "ldr w5, [x4]; mov w17, #1; cmp w5, w17; csel w5, w5, wzr, lt",
       "mov edi, dword ptr [rsi]; mov r11d, 0; mov ecx, 1; cmp edi, ecx; cmovge edi, r11d"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(one.aarch64, code(one.cell, limits(CpuIsa::aarch64))) << one.cell;
    EXPECT_EQ(one.x86_64, code(one.cell, limits(CpuIsa::x86_64))) << one.cell;
  }
}

TEST(CpuLowering, ReadModifyWrites) {
  const Case cases[] = {
      {"atom.exch r0, x, 1 ;", "mov w17, #1; swp w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov r11d, ecx; xchg dword ptr [rsi], r11d; mov edi, r11d"},
      {"atom.exch.acq r0, x, 1 ;", "mov w17, #1; swpa w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov r11d, ecx; xchg dword ptr [rsi], r11d; mov edi, r11d"},
      {"atom.add.rel r0, x, 1 ;", "mov w17, #1; ldaddl w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov r11d, ecx; lock xadd dword ptr [rsi], r11d; mov edi, r11d"},
      {"atom.add.acqrel r0, x, 1 ;", "mov w17, #1; ldaddal w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov r11d, ecx; lock xadd dword ptr [rsi], r11d; mov edi, r11d"},
      {"atom.sub r0, x, 1 ;", "mov w17, #1; neg w17, w17; ldadd w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov r11d, ecx; neg r11d; lock xadd dword ptr [rsi], r11d; mov edi, r11d"},
      {"atom.and r0, x, 1 ;", "mov w17, #1; mvn w17, w17; ldclr w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov eax, dword ptr [rsi]; L3:; mov r11d, eax; and r11d, ecx; lock cmpxchg dword ptr [rsi], r11d; "
       "jne L3; mov r11d, eax; mov edi, r11d"},
      {"atom.or r0, x, 1 ;", "mov w17, #1; ldset w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov eax, dword ptr [rsi]; L3:; mov r11d, eax; or r11d, ecx; lock cmpxchg dword ptr [rsi], r11d; "
       "jne L3; mov r11d, eax; mov edi, r11d"},
      {"atom.max r0, x, 1 ;", "mov w17, #1; ldsmax w17, w0, [x4]; mov w5, w0",
       "mov ecx, 1; mov eax, dword ptr [rsi]; L3:; mov r11d, eax; cmp eax, ecx; cmovl r11d, ecx; lock cmpxchg dword "
       "ptr [rsi], r11d; jne L3; mov r11d, eax; mov edi, r11d"},
      {"atom.inc r0, x, 5 ;",
       "mov w17, #5; L3:; ldxr w0, [x4]; add w1, w0, #1; cmp w0, w17; csel w1, wzr, w1, hs; stxr w3, w1, [x4]; cbnz "
       "w3, L3; L4:; mov w5, w0",
       "mov ecx, 5; mov eax, dword ptr [rsi]; L3:; mov r11d, 0; cmp eax, ecx; jae L4; mov r11d, eax; add r11d, 1; L4:; "
       "lock cmpxchg dword ptr [rsi], r11d; jne L3; mov r11d, eax; mov edi, r11d"},
      {"atom.dec r0, x, 5 ;",
       "mov w17, #5; L3:; ldxr w0, [x4]; sub w1, w0, #1; cmp w0, w17; csel w1, w17, w1, hi; cmp w0, wzr; csel w1, w17, "
       "w1, eq; stxr w3, w1, [x4]; cbnz w3, L3; L4:; mov w5, w0",
       "mov ecx, 5; mov eax, dword ptr [rsi]; L3:; mov r11d, ecx; cmp eax, 0; je L4; cmp eax, ecx; ja L4; mov r11d, "
       "eax; sub r11d, 1; L4:; lock cmpxchg dword ptr [rsi], r11d; jne L3; mov r11d, eax; mov edi, r11d"},
      {"atom.cas.acq r0, x, 0, 1 ;", "mov w1, wzr; mov w17, #1; casa w1, w17, [x4]; mov w0, w1; mov w5, w0",
       "mov eax, 0; mov ecx, 1; lock cmpxchg dword ptr [rsi], ecx; mov r11d, eax; mov edi, r11d"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(one.aarch64, code(one.cell, limits(CpuIsa::aarch64))) << one.cell;
    EXPECT_EQ(one.x86_64, code(one.cell, limits(CpuIsa::x86_64))) << one.cell;
  }
}

TEST(CpuLowering, WithoutAtomicInstructionsAArch64Loops) {
  EXPECT_EQ("mov w17, #1; L3:; ldaxr w0, [x4]; add w1, w0, w17; stlxr w3, w1, [x4]; cbnz w3, L3; L4:; mov w5, w0",
            code("atom.add.acqrel r0, x, 1 ;", limits(CpuIsa::aarch64, false)));
  EXPECT_EQ(
      "mov w1, wzr; mov w17, #1; L3:; ldaxr w0, [x4]; cmp w0, w1; b.ne L4; stxr w3, w17, [x4]; cbnz w3, L3; L4:; mov "
      "w5, w0",
      code("atom.cas.acq r0, x, 0, 1 ;", limits(CpuIsa::aarch64, false)));
}

TEST(CpuLowering, DependenciesBranchesAndWidths) {
  const Case cases[] = {
      {"ld r0, x ; xor r1, r0, r0 ; ld r2, y+r1 ;", "ldr w6, [x4]; eor w7, w6, w6; sxtw x16, w7; ldr w8, [x5, x16]",
       "mov r8d, dword ptr [rsi]; mov r9d, r8d; xor r9d, r8d; movsxd r10, r9d; mov ebx, dword ptr [rdi + r10]"},
      {"ld r0, x ; xor r1, r0, r0 ; ld.acq r2, y+r1 ;",
       "ldr w6, [x4]; eor w7, w6, w6; sxtw x16, w7; add x16, x5, x16; ldapr w8, [x16]",
       "mov r8d, dword ptr [rsi]; mov r9d, r8d; xor r9d, r8d; movsxd r10, r9d; mov ebx, dword ptr [rdi + r10]"},
      {"ld r0, x ; beq r0, 1, out ; st y, 1 ; out: ;",
       "ldr w6, [x4]; mov w17, #1; cmp w6, w17; b.eq L3; mov w17, #1; str w17, [x5]; L3:",
       "mov r8d, dword ptr [rsi]; mov ecx, 1; cmp r8d, ecx; je L3; mov ecx, 1; mov dword ptr [rdi], ecx; L3:"},
      {"again: ; ld r0, x ; bne r0, 1, again ;",
       "mov w7, wzr; mov w6, #64; L0:; ldr w7, [x4]; mov w17, #1; cmp w7, w17; b.eq L5; sub w6, w6, #1; cbnz w6, L0; b "
       "L4; L5:; L4:; cmp w6, wzr; cset w17, eq; str w17, [x5]",
       "mov r9d, 0; mov r8d, 64; L0:; mov r9d, dword ptr [rsi]; mov ecx, 1; cmp r9d, ecx; je L5; sub r8d, 1; jne L0; "
       "jmp L4; L5:; L4:; mov r10d, 0; cmp r8d, r10d; sete cl; movzx ecx, cl; mov dword ptr [rdi], ecx"},
      {"ld r0, x ; lt r1, r0, 3 ; @r1 st y, 1 ;",
       "ldr w6, [x4]; mov w17, #3; cmp w6, w17; cset w7, lt; cmp w7, wzr; b.eq L5; mov w17, #1; str w17, [x5]; L5:",
       "mov r8d, dword ptr [rsi]; mov ecx, 3; cmp r8d, ecx; setl r9b; movzx r9d, r9b; mov r10d, 0; cmp r9d, r10d; je "
       "L5; mov ecx, 1; mov dword ptr [rdi], ecx; L5:"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(one.aarch64, code(one.cell, limits(CpuIsa::aarch64))) << one.cell;
    EXPECT_EQ(one.x86_64, code(one.cell, limits(CpuIsa::x86_64))) << one.cell;
  }
  EXPECT_EQ("ldrsb w6, [x4]; mov x17, #-1; str x17, [x5]",
            code("ld r0, x ; st y, -1 ;", limits(CpuIsa::aarch64), "{ s8 x; u64 y; }\n"));
  EXPECT_EQ("movsx r8d, byte ptr [rsi]; mov rcx, -1; mov qword ptr [rdi], rcx",
            code("ld r0, x ; st y, -1 ;", limits(CpuIsa::x86_64), "{ s8 x; u64 y; }\n"));
}

std::string assembly(const std::string& arch, const std::string& init, const std::string& cells) {
  return arch + " T\n{ " + init + " }\n P0 ;\n" + cells + "\nforall (true)\n";
}

TEST(CpuLowering, AssemblyRunsAsWritten) {
  const TargetLimits arm = limits(CpuIsa::aarch64);
  const std::pair<const char*, const char*> on_arm[] = {
      {"LDR W0,[X1] ;", "ldr w5, [x4]"},
      {"LDAR W0,[X1] ;", "ldar w5, [x4]"},
      {"LDAPR W0,[X1] ;", "ldapr w5, [x4]"},
      {"MOV W0,#1 ; STLR W0,[X1] ;", "mov w17, #1; stlr w17, [x4]"},
      {"DMB ISHST ;", "dmb ishst"},
      {"DMB LD ;", "dmb ld"},
      {"DSB SY ;", "dsb sy"},
      {"ISB ;", "isb"},
      {"LDXR W0,[X1] ; STXR W2,W0,[X1] ;", "ldxr w5, [x4]; stxr w3, w5, [x4]; mov w6, w3"},
      {"LDAXR W0,[X1] ; STLXR W2,W0,[X1] ;", "ldaxr w5, [x4]; stlxr w3, w5, [x4]; mov w6, w3"},
      {"MOV W2,#1 ; SWPL W2,W0,[X1] ;", "mov w17, #1; swpl w17, w0, [x4]; mov w5, w0"},
  };
  for (const auto& [cells, expected] : on_arm) {
    EXPECT_EQ(expected, body(listing(assembly("AArch64", "0:X1=x;", cells), arm), arm)) << cells;
  }
  const TargetLimits x86 = limits(CpuIsa::x86_64);
  const std::pair<const char*, const char*> on_x86[] = {
      {"MOV EAX,[x] ;", "mov edi, dword ptr [rsi]"},
      {"MOV [x],$1 ;", "mov ecx, 1; mov dword ptr [rsi], ecx"},
      {"MFENCE ;", "mfence"},
      {"MOV EAX,$1 ; XCHG EAX,[x] ;",
       "mov r10d, 1; mov edi, r10d; mov r11d, edi; xchg dword ptr [rsi], r11d; mov edi, r11d"},
  };
  for (const auto& [cells, expected] : on_x86) {
    EXPECT_EQ(expected, body(listing(assembly("X86_64", "", cells), x86), x86)) << cells;
  }
}

TEST(CpuLowering, WhatAMachineLacksIsRefused) {
  const TargetLimits arm = limits(CpuIsa::aarch64);
  const TargetLimits old_arm = limits(CpuIsa::aarch64, false, false);
  const TargetLimits x86 = limits(CpuIsa::x86_64);
  EXPECT_EQ("error: T: cannot run: the test is written for AArch64; this machine is x86-64\n",
            errors(assembly("AArch64", "0:X1=x;", "LDR W0,[X1] ;"), x86));
  EXPECT_EQ("error: T: cannot run: the test is written for x86-64; this machine is AArch64\n",
            errors(assembly("X86_64", "", "MFENCE ;"), arm));
  EXPECT_EQ("error: T: cannot run: the test uses LDAPR, which this machine does not have\n",
            errors(assembly("AArch64", "0:X1=x;", "LDAPR W0,[X1] ;"), old_arm));
  EXPECT_EQ("error: T: cannot run: the test uses atomic instructions, which this machine does not have\n",
            errors(assembly("AArch64", "0:X1=x;", "SWP W2,W0,[X1] ;"), old_arm));
  EXPECT_EQ("error: T: cannot run: the test uses thread barriers, which CPUs do not have\n",
            errors("weakspot T\n P0 | P1 ;\n bar | bar ;\nscopes (wg P0 P1)\nforall (true)\n", arm));
}

}  // namespace
}  // namespace weakspot::codegen::cpu_lowering_test
