// SPDX-License-Identifier: MIT
#include "litmus/instruction.h"
#include "support/assembly.h"

namespace weakspot::litmus::print_assembly_test {
namespace {

std::string in_words(const LitmusTest& test, Dialect dialect) {
  base::Result<std::string> text = print(test, dialect);
  return text ? *text : text.errors().front().message;
}

TEST(PrintAArch64, MessagePassing) {
  const LitmusTest test = read_one(
      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(in_words(test, Dialect::aarch64),
            "AArch64 MP\n"
            "{ 0:X1=x; 0:X2=y; 0:X0=1; 1:X3=x; 1:X2=y; }\n"
            " P0           | P1           ;\n"
            " STR W0,[X1]  | LDAR W0,[X2] ;\n"
            " STLR W0,[X2] | LDR W1,[X3]  ;\n"
            "exists (1:X0=1 /\\ 1:X1=0)\n");
}

TEST(PrintX86, StoreBuffering) {
  const LitmusTest test = read_one(
      "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n mfence | atom.exch.sc r1, z, 2 ;\n ld r0, y | ld r0, x ;\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n");
  EXPECT_EQ(in_words(test, Dialect::x86_64),
            "X86_64 SB\n"
            "{ }\n"
            " P0            | P1             ;\n"
            " movl $1,(x)   | movl $1,(y)    ;\n"
            " mfence        | movl $2,%eax   ;\n"
            " movl (y),%eax | xchgl %eax,(z) ;\n"
            "               | movl (x),%ebx  ;\n"
            "exists (0:RAX=0 /\\ 1:RBX=0)\n");
}

// herd7 has one set of labels for all threads.
TEST(PrintAssembly, LabelsAreUnique) {
  const LitmusTest test = read_one(
      "weakspot T\n P0 | P1 | P2 ;\n ld r0, x | ld r0, y | ld r0, x ;\n bne r0, 0, L | bne r0, 0, L | bne r0, 0, L1 ;\n"
      " st y, 1 | st x, 1 | st y, 2 ;\n L: | L: | L1: ;\nexists (0:r0=1 /\\ 1:r0=1)\n");
  const LitmusTest adapted = *adapt(test, Dialect::aarch64);
  std::vector<std::string> labels;
  for (const Thread& thread : adapted.threads) {
    labels.push_back(std::get<Branch>(thread.instructions[1].operation).label);
    EXPECT_EQ(std::get<Label>(thread.instructions.back().operation).name, labels.back());
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"L0", "L1_", "L1"}));
  expect_round_trip(test, Dialect::aarch64);
}

TEST(PrintX86, ConditionsAsHerdReadsThem) {
  const LitmusTest test = read_one(
      "X86_64 T\n{ p=x; int64_t 0:RAX; }\n P0 ;\n movq (p),%rax ;\nlocations [p;]\nfilter (0:RAX=x)\n"
      "exists (0:RAX=x)\n");
  const std::string text = in_words(test, Dialect::x86_64);
  EXPECT_EQ(text.substr(text.find("locations")), "locations [p;]\nfilter (0:RAX=x)\nexists (0:RAX=x)\n");
  expect_round_trip(test, Dialect::x86_64);
}

// Texts of either dialect whose tests must survive printing, and which adapting must leave alone.
TEST(PrintAssembly, OwnTestsAreLeftAlone) {
  const std::string_view texts[] = {
      "AArch64 T\n{ 0:X1=x; 0:X3=y; 0:X5=3; }\n P0 ;\n LDR W0,[X1] ; EOR W2,W0,W0 ; LDR W4,[X3,W2,SXTW] ;\n"
      " CMP W4,W0 ; B.LT L ; STXR W6,W5,[X1] ; L: ; CMP W0,#7 ; CSET W7,EQ ;\nexists (0:X4=1)\n",
      "AArch64 T\n{ 0:X1=x; 0:X3=y; 0:X5=3; }\n P0 ;\n LDR W0,[X1] ; CMP W0,#1 ; CSEL X4,X1,X3,EQ ; LDR W6,[X4] ;\n"
      " CMP W6,W0 ; CSEL W7,W0,W5,LT ; CSINC W8,W7,WZR,GE ; CSETM W9,NE ;\nexists (0:X7=3 /\\ 0:X9=0)\n",
      "AArch64 T\n{ uint64_t x; 0:X1=x; 0:X2=0x101; }\n P0 ;\n STR W2,[X1,#4] ; LDR X0,[X1] ; CBNZ W0,L ; L: ;\n"
      " ADD W0,W0,#1 ; STR X0,[X1] ;\nlocations [x;]\n",
      "AArch64 T\n{ 0:X1=x; 0:X3=1; }\n P0 ;\n CAS W0,W3,[X1] ; SWPA W3,W4,[X1] ; LDCLRL W3,W5,[X1] ; STADD W3,[X1] ;\n"
      " LDUMAX W4,W6,[X1] ; CASAL WZR,W3,[X1] ;\nexists (0:X4=0 /\\ x=1)\n",
      "AArch64 T\n{ 0:X1=x; 0:X3=0; }\n P0 ;\n LDCLR W3,W0,[X1] ; STR X0,[X1] ;\nexists (0:X0=0)\n",
      "AArch64 T\n{ x=y; 0:X1=x; }\n P0 ;\n LDR X0,[X1] ; LDAPUR W2,[X0,#4] ; STLUR W2,[X0,#4] ; LDRSB W3,[X0] ;\n"
      "exists (0:X2=0)\n",
      "X86_64 T\n{ 0:rbx=7; }\n P0 ;\n MOV EAX,[x] ; LOCK CMPXCHG [x],EBX ; JNE L ; INC [y] ; L: ; XOR ECX,ECX ;\n"
      " LOCK XADD [y],ECX ; MOV EDX,$1 ; CMP EDX,$1 ; JE L ;\nexists (0:rcx=0)\n",
      "X86_64 T\n{ p=x; }\n P0 ;\n MOV RAX,[p] ; MOV EBX,[RAX+4] ; ADD EAX,$1 ; MOVZX ECX,BYTE PTR [y] ; MOV [y],CL ;\n"
      " MOV QWORD PTR [p],$y ; CMP EBX,ECX ; SETGE DL ; MOVZX EDX,DL ;\nexists (0:rdx=0)\n",
      "X86_64 T\n{ 0:rcx=3; }\n P0 ;\n MOV EAX,[x] ; MOV EBX,$5 ; CMP EAX,$1 ; CMOVE EBX,ECX ; CMOVGE EAX,[y] ;\n"
      "exists (0:rbx=3)\n",
      "X86_64 T\n{ }\n P0 ;\n MOV RAX,[x] ; MOV RBX,[y] ; MOV ECX,[RAX+RBX] ; TEST EAX,ECX ; JZ L ; L: ; MOVZX EDX,CL "
      ";\n"
      " ADD EAX,ECX ;\nexists (0:rdx=0)\n",
  };
  for (std::string_view text : texts) {
    const LitmusTest test = read_one(std::string(text));
    const Dialect dialect = test.arch == Arch::aarch64 ? Dialect::aarch64 : Dialect::x86_64;
    base::Result<LitmusTest> adapted = adapt(test, dialect);
    ASSERT_TRUE(adapted.ok()) << base::render(adapted.errors());
    EXPECT_TRUE(*adapted == test) << canonical(test) << canonical(*adapted);
    expect_round_trip(test, dialect);
  }
}

// Each construct that takes several instructions, in a test of no particular processor.
TEST(PrintAssembly, GenericTestsComeBackAsAdapted) {
  struct Generic {
    std::string_view code;
    bool aarch64;
    bool x86_64;
  };
  const Generic cases[] = {
      {"ld r0, x ; st y, r0 ;", true, true},
      {"mov r0, 3 ; sub r1, 7, r0 ; sub r0, r1, r0 ; st x, r0 ;", true, true},
      {"ld r0, x ; xor r1, r0, r0 ; ld r2, y+r1 ;", true, true},
      {"ld r0, x ; lt r1, r0, 3 ; @r1 st y, 1 ; @!r1 b L ; L: ;", true, true},
      {"ld.acq r0, x+r1 ; st.rel x+r1, 1 ;", true, false},
      {"atom.cas.rel r0, x, 1, 2 ; atom.cas _, x, r0, r1, r2 ;", true, false},
      {"atom.sub.acq r0, x, 1 ; atom.sub _, x, r0 ; atom.and r0, x, 6 ; atom.max _, x, 3 ;", true, false},
      {"atom.cas.sc r0, x, 1, r0 ; atom.cas.sc r1, x, r0, 2, r2 ;", false, true},
      {"atom.sub.sc r0, x, 1 ; atom.sub.sc r1, x, r0 ; atom.exch.sc _, x, 4 ; atom.xor.sc _, x, 5 ;", false, true},
      {"ld.ex r0, x ; st.rel.ex r1, x, r0 ;", true, false},
      {"mul r0, r1, 3 ; neg r2, r0 ; not r2, r2 ; shl r0, r0, 2 ; shr r0, r0, 1 ; st x, r0 ; st y, r2 ;", true, true},
  };
  for (const Generic& one : cases) {
    const std::string text = "weakspot T\n{ x; y; 0:r0 = 1; 0:r1 = 0; 0:r2 = 0; }\n P0 ;\n" + std::string(one.code) +
                             "\nexists (0:r0=1 /\\ 0:r1=2)\n";
    const LitmusTest test = read_one(text);
    EXPECT_EQ(adapt(test, Dialect::aarch64).ok(), one.aarch64) << one.code;
    EXPECT_EQ(adapt(test, Dialect::x86_64).ok(), one.x86_64) << one.code;
    if (one.aarch64) expect_round_trip(test, Dialect::aarch64);
    if (one.x86_64) expect_round_trip(test, Dialect::x86_64);
  }
}

TEST(PrintAssembly, WidthsOfGenericRegisters) {
  const LitmusTest test = read_one(
      "weakspot T\n{ s64 x; u8 y; 0:s64 a; 0:b64 b; 0:u32 c; }\n P0 ;\n"
      " ld a, x ; ld.s32 b, z ; ld.u32 a, z ; ld c, y ; add a, b, d ; xor a, a, d ; mov d, a ; st x, d ; beq a, d, L "
      ";\n"
      " L: ; eq d, a, b ;\nexists (0:d=1 /\\ 0:c=2)\n");
  expect_round_trip(test, Dialect::aarch64);
  expect_round_trip(test, Dialect::x86_64);
}

TEST(PrintAssembly, ConstantsOfTheUpperHalf) {
  const LitmusTest test = read_one(
      "weakspot T\n{ u32 x; 0:s64 r0; 0:r1; }\n P0 ;\n st x, 4294967295 ; atom.sub.sc r0, x, 100 ;\n"
      " atom.add.sc r0, x, 4294967295 ; sel.eq r1, r0, 1, 4294967295, 2147483648 ;\nexists (0:r1=1 /\\ x=2)\n");
  expect_round_trip(test, Dialect::x86_64);
  LitmusTest relaxed = test;
  for (Instruction& instruction : relaxed.threads[0].instructions) {
    if (auto* rmw = std::get_if<Rmw>(&instruction.operation)) rmw->access.order = Order::relaxed;
  }
  expect_round_trip(relaxed, Dialect::aarch64);
}

TEST(PrintAssembly, PointersToWhatTheProgramDoesNotName) {
  const LitmusTest test = read_one(
      "weakspot T\n{ a = 1; q = &z; b; z = 2; p = &b; 0:s64 r0; }\n P0 ;\n ld r0, p ; ld r1, [r0] ;\nexists (0:r1=0 "
      "/\\ a=1)\n");
  expect_round_trip(test, Dialect::aarch64);
  expect_round_trip(test, Dialect::x86_64);
}

TEST(PrintAssembly, Refusals) {
  struct Refusal {
    std::string_view init;
    std::string_view code;
    std::string_view aarch64;
    std::string_view x86_64;
  };
  const Refusal cases[] = {
      {"", "ld.na r0, x ;", "AArch64 has no non-atomic accesses", "x86-64 has no non-atomic accesses"},
      {"", "ld.sc r0, x ;", "AArch64 has no load of order 'sc'", "x86-64 has no load of order 'sc'"},
      {"", "st.sc x, 1 ;", "AArch64 has no store of order 'sc'", "x86-64 has no store of order 'sc'"},
      {"", "ld.wg r0, x ;", "AArch64 has no scope 'wg'", "x86-64 has no scope 'wg'"},
      {"", "ld.vol r0, x ;", "AArch64 has no 'vol' accesses", "x86-64 has no 'vol' accesses"},
      {"shared x;", "ld r0, x ;", "AArch64 has no memory space 'shared' for location 'x'",
       "x86-64 has no memory space 'shared' for location 'x'"},
      {"", "fence.sc ;", "AArch64 has no fences other than dmb, dsb and isb",
       "x86-64 has no fences other than mfence, sfence and lfence"},
      {"", "bar 0 ;", "AArch64 has no execution barriers", "x86-64 has no execution barriers"},
      {"", "atom.exch.sc r0, x, 1 ;", "AArch64 has no read-modify-write of order 'sc'", ""},
      {"", "atom.exch r0, x, 1 ;", "", "x86-64 read-modify-writes are always sequentially consistent"},
      {"", "atom.inc.sc r0, x, 1 ;", "AArch64 has no atomic 'inc' that wraps at an operand",
       "x86-64 has no atomic 'inc' that wraps at an operand"},
      {"", "atom.or.sc r0, x, 1 ;", "AArch64 has no read-modify-write of order 'sc'",
       "x86-64 has no atomic 'or' that returns the old value"},
      {"", "ld r1, x ; atom.and r0, x, r1 ;",
       "AArch64 takes the complement of the operand of an atomic 'and', which must be a constant",
       "x86-64 read-modify-writes are always sequentially consistent"},
      {"", "atom.cas.sc.weak r0, x, 1, 2 ;", "AArch64 has no compare-and-swap that may fail spuriously",
       "x86-64 has no compare-and-swap that may fail spuriously"},
      {"s64 x;", "ld r0, x ;", "register 'r0' is loaded with 64 bits but holds 32",
       "register 'r0' is loaded with 64 bits but holds 32"},
      {"0:u32 r1;", "ld r1, x ; blt r1, 3, L ; L: ;", "unsigned register 'r1' is compared, shifted or extended",
       "unsigned register 'r1' is compared, shifted or extended"},
      {"", "ld.ex r0, x ;", "", "x86-64 has no exclusive accesses"},
      {"cl;", "st cl, 1 ;", "", "location 'cl' has the name of a register"},
  };
  for (const Refusal& one : cases) {
    const LitmusTest test = read_one("weakspot T\n{ 0:r0 = 0; " + std::string(one.init) + " }\n P0 ;\n" +
                                     std::string(one.code) + "\nexists (0:r0=0)\n");
    const std::pair<Dialect, std::string_view> expectations[] = {{Dialect::aarch64, one.aarch64},
                                                                 {Dialect::x86_64, one.x86_64}};
    for (const auto& [dialect, reason] : expectations) {
      base::Result<std::string> text = print(test, dialect);
      const std::string found = text ? "" : text.errors().front().message;
      const std::string name = dialect == Dialect::aarch64 ? "AArch64" : "x86-64";
      EXPECT_EQ(found, reason.empty() ? "" : "T cannot be written as " + name + ": " + std::string(reason)) << one.code;
    }
  }
}

TEST(PrintAssembly, PlacedThreadsAreRefused) {
  const LitmusTest test =
      read_one("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nscopes (wg P0 P1)\nexists (1:r0=1)\n");
  EXPECT_EQ(in_words(test, Dialect::aarch64),
            "T cannot be written as AArch64: AArch64 has no scopes to place threads in");
}

TEST(PrintAssembly, TooManyRegisters) {
  std::string code, condition;
  for (int i = 0; i < 31; ++i) {
    code += "ld r" + std::to_string(i) + ", x ; ";
    condition += (i == 0 ? "" : " /\\ ") + ("0:r" + std::to_string(i)) + "=1";
  }
  const LitmusTest test = read_one("weakspot T\n P0 ;\n" + code + "\nexists (" + condition + ")\n");
  EXPECT_EQ(in_words(test, Dialect::aarch64),
            "T cannot be written as AArch64: a thread needs more registers than AArch64 has");
  EXPECT_EQ(in_words(test, Dialect::x86_64),
            "T cannot be written as x86-64: a thread needs more registers than x86-64 has");
}

}  // namespace
}  // namespace weakspot::litmus::print_assembly_test
