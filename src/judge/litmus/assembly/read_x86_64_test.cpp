// SPDX-License-Identifier: MIT
#include "support/assembly.h"

namespace weakspot::litmus::read_x86_64_test {
namespace {

std::string thread(const std::string& code, const std::string& init = "") {
  return "X86_64 T\n{ " + init + " }\n P0 ;\n" + code + "\nforall (true)\n";
}

std::string lowered(const std::string& code, const std::string& init = "") {
  return only_thread(read_one(thread(code, init)));
}

TEST(ReadX86, BothSpellings) {
  const Case cases[] = {
      {"MOV EAX,[x] ;", "ld RAX, x;"},
      {"mov eax, [x] ;", "ld RAX, x;"},
      {"movl (x),%eax ;", "ld RAX, x;"},
      {"movl x(%rip),%eax ;", "ld RAX, x;"},
      {"MOV RAX,[x] ;", "{ s64 x; 0:s64 RAX; } ld RAX, x;"},
      {"movq (x),%rax ;", "{ s64 x; 0:s64 RAX; } ld RAX, x;"},
      {"MOV [x],$1 ;", "st x, 1;"},
      {"MOV [x],1 ;", "st x, 1;"},
      {"MOV [x],$-1 ;", "st x, -1;"},
      {"movl $1,(x) ;", "st x, 1;"},
      {"movq $1,(x) ;", "{ s64 x; } st x, 1;"},
      {"MOV QWORD PTR [x],$1 ;", "{ s64 x; } st x, 1;"},
      {"movb $1,(x) ;", "{ u8 x; } st x, 1;"},
      {"MOV EAX,[x] ; MOV [y],AL ;", "{ u8 y; } ld RAX, x; st y, RAX;"},
      {"MOVZX EAX,BYTE PTR [x] ;", "{ u8 x; } ld RAX, x;"},
      {"movzwl (x),%eax ;", "{ u16 x; } ld RAX, x;"},
      {"MOVSX EAX,BYTE [x] ;", "{ s8 x; } ld RAX, x;"},
      {"MOVSXD RAX,[x] ;", "{ 0:s64 RAX; } ld RAX, x;"},
      {"movl $5,%eax ; movl %eax,(x) ;", "st x, 5;"},
  };
  for (const Case& one : cases) EXPECT_EQ(lowered(std::string(one.code)), one.expected) << one.code;
}

TEST(ReadX86, Addresses) {
  EXPECT_EQ(lowered("MOV RAX,[p] ; MOV EBX,[RAX] ;", "p=x;"), "{ p = &x; x; 0:s64 RAX; } ld RAX, p; ld RBX, [RAX];");
  EXPECT_EQ(lowered("movl 4(%rax),%ebx ;", "uint64_t x; 0:rax=x;"), "{ u64 x; } ld.s32 RBX, x+4;");
  EXPECT_EQ(lowered("MOV EBX,[x+4] ;", "uint64_t x;"), "{ u64 x; } ld.s32 RBX, x+4;");
  EXPECT_EQ(lowered("MOV RAX,[y] ; XOR RAX,RAX ; MOV EBX,[x+RAX] ;"),
            "{ s64 y; 0:s64 RAX; } ld RAX, y; xor RAX, RAX, RAX; ld RBX, x+RAX;");
  EXPECT_EQ(lowered("MOV EAX,[y] ; XOR EAX,EAX ; MOV EBX,[EAX+x] ;"), "ld RAX, y; xor RAX, RAX, RAX; ld RBX, x+RAX;");
  EXPECT_EQ(lowered("MOV RAX,[x] ; MOV RBX,[y] ; MOV ECX,[RAX+RBX-4] ;"),
            "{ s64 x; s64 y; 0:s64 RAX; 0:s64 RBX; 0:s64 RBP; } ld RAX, x; ld RBX, y; mov RBP, RAX; "
            "add RBP, RBP, RBX; ld RCX, [RBP+-4];");
  EXPECT_EQ(lowered("MOV RAX,$x ; MOV [RAX],$1 ;"), "st x, 1;");
  EXPECT_EQ(lowered("MOV EAX,[x] ; leal 1(%rax),%ecx ; MOV [y],ECX ;"),
            "{ u32 x; 0:s64 RAX; } ld RAX, x; mov RCX, RAX; add RCX, RCX, 1; st y, RCX;");
  EXPECT_EQ(lowered("MOV RAX,[x] ; CMP RAX,$1 ; LEA RBX,[RBX+2] ; JE L ; L: ;"),
            "{ s64 x; 0:s64 RAX; 0:s64 RBX; } ld RAX, x; add RBX, RBX, 2; beq RAX, 1, L; L:;");
}

TEST(ReadX86, ReadModifyWrites) {
  const Case cases[] = {
      {"XCHG [x],EAX ;", "atom.exch.sc RAX, x, RAX;"},
      {"xchg EAX,[x] ;", "atom.exch.sc RAX, x, RAX;"},
      {"LOCK XCHG [x],EAX ;", "atom.exch.sc RAX, x, RAX;"},
      {"lock xaddl %eax,(x) ;", "atom.add.sc RAX, x, RAX;"},
      {"LOCK CMPXCHG [x],EBX ;", "atom.cas.sc RAX, x, RAX, 0;"},
      {"LOCK ADD [x],$1 ;", "atom.add.sc _, x, 1;"},
      {"LOCK SUB [x],$1 ;", "atom.sub.sc _, x, 1;"},
      {"LOCK INC [x] ;", "atom.add.sc _, x, 1;"},
      {"LOCK DEC [x] ;", "atom.sub.sc _, x, 1;"},
      {"LOCK OR [x],$4 ;", "atom.or.sc _, x, 4;"},
      {"ADD [x],$1 ;", "ld RBP, x; add RBP, RBP, 1; st x, RBP;"},
      {"INC [x] ;", "ld RBP, x; add RBP, RBP, 1; st x, RBP;"},
      {"LOCK CMPXCHG [x],EBX ; JNE L ; L: ;", "atom.cas.sc RAX, x, RAX, 0, RBP; beq RBP, 0, L; L:;"},
      {"LOCK CMPXCHG [x],EBX ; SETE CL ; MOVZX ECX,CL ;", "atom.cas.sc RAX, x, RAX, 0, RCX;"},
  };
  for (const Case& one : cases) EXPECT_EQ(lowered(std::string(one.code)), one.expected) << one.code;
}

TEST(ReadX86, ComparisonsFoldIntoBranches) {
  const Case cases[] = {
      {"CMP EAX,$1 ; JE L ; L: ;", "beq RAX, 1, L; L:;"},
      {"cmpl $1,%eax ; jne L ; L: ;", "bne RAX, 1, L; L:;"},
      {"CMP EAX,EBX ; JGE L ; L: ;", "bge RAX, RBX, L; L:;"},
      {"TEST EAX,EAX ; JLE L ; L: ;", "ble RAX, 0, L; L:;"},
      {"TEST EAX,$2 ; JNZ L ; L: ;", "mov RBP, RAX; and RBP, RBP, 2; bne RBP, 0, L; L:;"},
      {"DEC EAX ; JNZ L ; L: ;", "sub RAX, RAX, 1; bne RAX, 0, L; L:;"},
      {"CMP [x],$1 ; JE L ; L: ;", "ld RBP, x; beq RBP, 1, L; L:;"},
      {"CMP EAX,EBX ; SETL CL ; MOVZX ECX,CL ;", "lt RCX, RAX, RBX;"},
      {"CMP EAX,$1 ; CMOVE EAX,EBX ;", "sel.eq RAX, RAX, 1, RBX, RAX;"},
      {"cmpl $1,%eax ; cmovge (x),%ebx ;", "ld RBP, x; sel.ge RBX, RAX, 1, RBP, RBX;"},
      {"JMP L ; L: ;", "b L; L:;"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(lowered("MOV EAX,[x] ; MOV EBX,[y] ; " + std::string(one.code)),
              "ld RAX, x; ld RBX, y; " + std::string(one.expected))
        << one.code;
  }
}

TEST(ReadX86, Fences) { EXPECT_EQ(lowered("MFENCE ; sfence ; LFENCE ; NOP ;"), "mfence; sfence; lfence;"); }

TEST(ReadX86, TheOldCollectionsHeaderAndTail) {
  const LitmusTest test = read_one(
      "X86 iwp2.6 (iwpTwoSix) \"Total order\"\n{x = 0; P1:EAX = 2};\n P0 | P1 ;\n mov [x], 1 | mov EAX, [x] ;\n"
      "~ exists (P1:EAX = 1);\n<<\nshow 0\n>>\n");
  EXPECT_EQ(test.name, "iwp2.6");
  EXPECT_EQ(test.description, "Total order");
  EXPECT_EQ(test.condition.quantifier, Condition::Quantifier::not_exists);
  EXPECT_EQ(test.arch, Arch::x86_64);
}

TEST(ReadX86, Mistakes) {
  const Case cases[] = {
      {"MOVV EAX,[x] ;", "unknown instruction 'MOVV'\n"},
      {"MOVNTI [x],EAX ;", "'MOVNTI' is not supported: non-temporal stores\n"},
      {"MOV EAX,x ;", "expected a register, a number or a memory operand such as [x], found 'x'\n"},
      {"MOV EAX ;", "'MOV' takes 2 operands\n"},
      {"MOV $1,$2 ;", "expected a register or a memory operand as the target\n"},
      {"MOV [x],[y] ;", "an instruction has at most one memory operand\n"},
      {"MOV EAX,RBX ;", "expected an operand of 32 bits, like the rest of the instruction\n"},
      {"MOV AL,[x] ;", "'MOV' of 8 bits is not supported\n"},
      {"MOV EAX,$0x1ffffffff ;", "the operand does not fit 32 bits\n"},
      {"XADD [x],EAX ;", "expected LOCK before 'XADD'; unlocked, it is not atomic and not supported\n"},
      {"LOCK MOV [x],$1 ;", "'MOV' cannot have LOCK; expected a read-modify-write of memory\n"},
      {"LOCK ADD EAX,$1 ;", "'ADD' cannot have LOCK; expected a read-modify-write of memory\n"},
      {"LEA EAX,EBX ;", "expected a memory operand and a register for 'LEA'\n"},
      {"XCHG EAX,EBX ;", "expected a memory operand and a register for 'XCHG'\n"},
      {"JE L ; L: ;", "expected a comparison before 'JE', with no label between\n"},
      {"CMP EAX,$1 ; JA L ; L: ;", "'JA' is not supported: unsigned comparisons\n"},
      {"CMOVE EAX,EBX ;", "expected a comparison before 'CMOVE', with no label between\n"},
      {"CMP EAX,$1 ; CMOVA EAX,EBX ;", "'CMOVA' is not supported: unsigned comparisons\n"},
      {"CMP EAX,$1 ; CMOVE EAX,$2 ;", "expected a register, and a register or memory operand, for 'CMOVE'\n"},
      {"CMP EAX,$1 ; CMOVE EAX,RBX ;", "expected an operand of 32 bits, like the rest of the instruction\n"},
      {"CMP EAX,$1 ; SETE AL ; NOP ;",
       "expected MOVZX of the same register next, such as 'MOVZX EAX,AL' after 'SETE AL'\n"},
      {"CMP EAX,$1 ; SETE AL ;", "expected MOVZX of the same register next, such as 'MOVZX EAX,AL' after 'SETE AL'\n"},
      {"movl (%rax,%rbx,4),%ecx ;", "scaled indexes are not supported\n"},
      {"MOV EAX,[x+RAX+RBX] ;", "expected an address of a location and a register, or of two registers\n"},
      {"MFENCE EAX ;", "unexpected 'EAX' after the instruction\n"},
      {"SHL EAX,$40 ;", "expected a number of bits from 0 to 31\n"},
  };
  for (const Case& one : cases) EXPECT_EQ(mistakes_in(thread(std::string(one.code))), one.expected) << one.code;
}

}  // namespace
}  // namespace weakspot::litmus::read_x86_64_test
