// SPDX-License-Identifier: MIT
#include "support/assembly.h"

namespace weakspot::litmus::read_aarch64_test {
namespace {

// One thread over locations x and y, held by X1 and, if the code speaks of it, X3.
std::string thread(const std::string& code, const std::string& init = "") {
  const std::string y = code.find("X3") == std::string::npos ? "" : "0:X3=y; ";
  return "AArch64 T\n{ 0:X1=x; " + y + init + " }\n P0 ;\n" + code + "\nforall (true)\n";
}

std::string lowered(const std::string& code, const std::string& init = "") {
  return only_thread(read_one(thread(code, init)));
}

TEST(ReadAArch64, Accesses) {
  const Case cases[] = {
      {"LDR W0,[X1] ;", "ld X0, x;"},
      {"LDR X0,[X1] ;", "{ s64 x; 0:s64 X0; } ld X0, x;"},
      {"ldr w0, [x1] ;", "ld X0, x;"},
      {"LDRB W0,[X1] ;", "{ u8 x; } ld X0, x;"},
      {"LDRSH W0,[X1] ;", "{ s16 x; } ld X0, x;"},
      {"LDRSW X0,[X1] ;", "{ 0:s64 X0; } ld X0, x;"},
      {"LDUR W0,[X1,#0] ;", "ld X0, x;"},
      {"LDAR W0,[X1] ;", "ld.acq X0, x;"},
      {"LDAPR W0,[X1] ;", "ld.acqpc X0, x;"},
      {"LDAPURB W0,[X1,#0] ;", "{ u8 x; } ld.acqpc X0, x;"},
      {"LDXR W0,[X1] ;", "ld.ex X0, x;"},
      {"LDAXRH W0,[X1] ;", "{ u16 x; } ld.acq.ex X0, x;"},
      {"STR W0,[X1] ;", "st x, 0;"},
      {"MOV W0,#5 ; STR W0,[X1] ;", "st x, 5;"},
      {"STR WZR,[X1] ;", "st x, 0;"},
      {"LDR W0,[X3] ; STLR W0,[X1] ;", "ld X0, y; st.rel x, X0;"},
      {"STXR W5,W0,[X1] ;", "st.ex X5, x, 0;"},
      {"STLXRB W5,W0,[X1] ;", "{ u8 x; } st.rel.ex X5, x, 0;"},
      {"LDR WZR,[X1] ;", "ld X28, x;"},
  };
  for (const Case& one : cases) EXPECT_EQ(lowered(std::string(one.code)), one.expected) << one.code;
}

// W0 is zero-extended for the move, and is an int in the condition.
TEST(ReadAArch64, ConditionsCompareInts) {
  const std::string code = " P0 ;\n LDRSB W0,[X1] ;\n MOV X4,X0 ;\nforall (0:X0=-1 /\\ 0:X4=4294967295)\n";
  const LitmusTest declared = read_one("AArch64 T\n{ 0:X1=x; int8_t x=-1; int64_t 0:X4; }\n" + code);
  EXPECT_EQ(
      only_thread(declared),
      "{ s8 x = -1; 0:s64 X0; 0:s64 X4; } ld X0, x; and X0, X0, 4294967295; mov X4, X0; mov X28, X0; mov X0, X28;");
  EXPECT_EQ(declared.condition.proposition.children[1].right, Term(integer(4294967295)));
  expect_round_trip(declared, Dialect::aarch64);
  const LitmusTest bare = read_one("AArch64 T\n{ 0:X1=x; int8_t x=-1; }\n" + code);
  EXPECT_EQ(bare.condition.proposition.children[1].right, Term(integer(-1)));
  expect_round_trip(bare, Dialect::aarch64);
}

TEST(ReadAArch64, Arrays) {
  EXPECT_EQ(lowered("LDR W0,[X1,#4] ;", "int x[2]={1,2};"), "{ s32 x[2] = {1, 2}; } ld X0, x+4;");
  EXPECT_EQ(lowered("LDR X0,[X1] ;", "int x[2];"), "{ s32 x[2]; 0:s64 X0; } ld.s64 X0, x;");
  EXPECT_EQ(lowered("LDR W0,[X5] ;", "int x[2]; 0:X5=x[1];"), "{ s32 x[2]; } ld X0, x+4;");
  EXPECT_EQ(lowered("LDR W2,[X3] ; STR W2,[X1,W2,SXTW #2] ;", "int x[4];"),
            "{ s32 x[4]; 0:s64 X28; } ld X2, y; mov X28, X2; shl X28, X28, 2; st x+X28, X2;");
  EXPECT_EQ(mistakes_in(thread("LDR W0,[X1,#8] ;", "int x[2];")),
            "an access of 4 bytes at offset 8 does not lie within 'x', which has 2 elements of type s32\n");
}

TEST(ReadAArch64, Pairs) {
  EXPECT_EQ(lowered("LDP W0,W2,[X1] ;", "int x[2];"), "{ s32 x[2]; } ld X0, x; ld.vec X2, x+4;");
  EXPECT_EQ(lowered("LDP X0,X2,[X1,#16] ;", "int64_t x[4];"),
            "{ s64 x[4]; 0:s64 X0; 0:s64 X2; } ld X0, x+16; ld.vec X2, x+24;");
  EXPECT_EQ(lowered("LDPSW X0,X2,[X1] ;", "int x[2];"), "{ s32 x[2]; 0:s64 X0; 0:s64 X2; } ld X0, x; ld.vec X2, x+4;");
  EXPECT_EQ(lowered("MOV W0,#1 ; STP W0,WZR,[X1] ;", "int x[2];"), "{ s32 x[2]; } st x, 1; st.vec x+4, 0;");
}

TEST(ReadAArch64, Addresses) {
  EXPECT_EQ(lowered("LDR W0,[X1,#4] ;", "uint64_t x;"), "{ u64 x; } ld.s32 X0, x+4;");
  EXPECT_EQ(lowered("LDR W0,[X3] ; EOR W2,W0,W0 ; LDR W4,[X1,W2,SXTW] ;"), "ld X0, y; xor X2, X0, X0; ld X4, x+X2;");
  EXPECT_EQ(lowered("LDR X0,[X3] ; EOR X2,X0,X0 ; LDR W4,[X1,X2] ;"),
            "{ s64 y; 0:s64 X0; 0:s64 X2; } ld X0, y; xor X2, X0, X0; ld X4, x+X2;");
  EXPECT_EQ(lowered("LDR X0,[X1] ; LDR W2,[X0] ;", "x=y;"), "{ x = &y; y; 0:s64 X0; } ld X0, x; ld X2, [X0];");
  EXPECT_EQ(lowered("LDR X0,[X1] ; LDR X2,[X3] ; LDR W4,[X0,X2] ;"),
            "{ s64 x; s64 y; 0:s64 X0; 0:s64 X2; 0:s64 X28; } ld X0, x; ld X2, y; add X28, X0, X2; ld X4, [X28];");
  EXPECT_EQ(lowered("STR W0,[X1],#4 ;"), "{ x; 0:s64 X1 = &x; } st [X1], 0; add X1, X1, 4;");
  EXPECT_EQ(lowered("STR W0,[X1,#4]! ;"), "{ x; 0:s64 X1 = &x; } add X1, X1, 4; st [X1], 0;");
}

TEST(ReadAArch64, ReadModifyWrites) {
  const Case cases[] = {
      {"CAS W0,W2,[X1] ;", "atom.cas X0, x, X0, 0;"},
      {"CASAL X0,XZR,[X1] ;", "{ s64 x; 0:s64 X0; } atom.cas.acqrel X0, x, X0, 0;"},
      {"CASA WZR,W2,[X1] ;", "atom.cas.acq _, x, 0, 0;"},
      {"MOV W2,#1 ; SWPL W2,W0,[X1] ;", "atom.exch.rel X0, x, 1;"},
      {"MOV W2,#1 ; SWPAB W2,W0,[X1] ;", "{ u8 x; } atom.exch.acq X0, x, 1;"},
      {"MOV W2,#1 ; LDADDAL W2,W0,[X1] ;", "atom.add.acqrel X0, x, 1;"},
      {"MOV W2,#1 ; STADDL W2,[X1] ;", "atom.add.rel _, x, 1;"},
      {"MOV W2,#1 ; LDADDA W2,WZR,[X1] ;", "atom.add _, x, 1;"},
      {"MOV W2,#1 ; SWPAL W2,WZR,[X1] ;", "atom.exch.rel _, x, 1;"},
      {"MOV W2,#1 ; LDSET W2,W0,[X1] ;", "atom.or X0, x, 1;"},
      {"MOV W2,#1 ; LDEOR W2,W0,[X1] ;", "atom.xor X0, x, 1;"},
      {"MOV W2,#1 ; LDCLR W2,W0,[X1] ;", "atom.and X0, x, -2;"},
      {"MOV W2,#1 ; LDSMAX W2,W0,[X1] ;", "atom.max X0, x, 1;"},
      {"MOV W2,#1 ; LDUMINA W2,W0,[X1] ;", "{ u32 x; } atom.min.acq X0, x, 1;"},
  };
  for (const Case& one : cases) EXPECT_EQ(lowered(std::string(one.code)), one.expected) << one.code;
}

TEST(ReadAArch64, Barriers) {
  const Case cases[] = {{"DMB SY ;", "dmb.sy;"},       {"DMB LD ;", "dmb.ld;"},       {"dmb ish ;", "dmb.ish;"},
                        {"DMB OSHST ;", "dmb.oshst;"}, {"DSB NSHLD ;", "dsb.nshld;"}, {"ISB ;", "isb;"}};
  for (const Case& one : cases) EXPECT_EQ(lowered(std::string(one.code)), "{ x; } " + std::string(one.expected));
}

TEST(ReadAArch64, ComparisonsFoldIntoBranches) {
  const Case cases[] = {
      {"CMP W0,#1 ; B.EQ L ; L: ;", "beq X0, 1, L; L:;"},
      {"CMP W0,W2 ; BLT L ; L: ;", "blt X0, X2, L; L:;"},
      {"CMP W0,#1 ; NOP ; B.EQ L ; B.GT L ; L: ;", "beq X0, 1, L; bgt X0, 1, L; L:;"},
      {"CBZ W0,L ; L: ;", "beq X0, 0, L; L:;"},
      {"CBNZ W0,L ; L: NOP ;", "bne X0, 0, L; L:;"},
      {"SUBS W4,W0,#1 ; B.GE L ; L: ;", "sub X4, X0, 1; bge X0, 1, L; L:;"},
      {"SUBS W0,W0,#1 ; B.NE L ; L: ;", "sub X0, X0, 1; bne X0, 0, L; L:;"},
      {"TST W0,#4 ; B.NE L ; L: ;", "and X28, X0, 4; bne X28, 0, L; L:;"},
      {"TBZ W0,#3,L ; L: ;", "and X28, X0, 8; beq X28, 0, L; L:;"},
      {"CMP W0,#0xffffffff ; B.EQ L ; L: ;", "beq X0, -1, L; L:;"},
      {"B L ; L: ;", "b L; L:;"},
  };
  for (const Case& one : cases) {
    const std::string loads = "LDR W0,[X1] ; LDR W2,[X3] ; ";
    EXPECT_EQ(lowered(loads + std::string(one.code)), "ld X0, x; ld X2, y; " + std::string(one.expected)) << one.code;
  }
}

TEST(ReadAArch64, ConditionalSelects) {
  const Case cases[] = {
      {"CMP W0,#3 ; CSEL W4,W0,W2,EQ ;", "sel.eq X4, X0, 3, X0, X2;"},
      {"CMP W0,W2 ; CSEL W0,WZR,W2,LT ;", "sel.lt X0, X0, X2, 0, X2;"},
      {"CMP W0,#3 ; CSEL W4,W0,W2,NE ; CSEL W5,W2,W0,NE ;", "sel.ne X4, X0, 3, X0, X2; sel.ne X5, X0, 3, X2, X0;"},
      {"CMP W0,#3 ; CSINC W4,W0,W2,EQ ;", "add X28, X2, 1; sel.eq X4, X0, 3, X0, X28;"},
      {"CMP W0,#3 ; CSINV W4,W0,W2,EQ ;", "not X28, X2; sel.eq X4, X0, 3, X0, X28;"},
      {"CMP W0,#3 ; CSNEG W4,W0,W2,EQ ;", "neg X28, X2; sel.eq X4, X0, 3, X0, X28;"},
      {"CMP W0,#3 ; CSINC W4,W0,WZR,EQ ;", "sel.eq X4, X0, 3, X0, 1;"},
      {"CMP W0,#3 ; CINC W4,W2,EQ ;", "add X28, X2, 1; sel.eq X4, X0, 3, X28, X2;"},
      {"CMP W0,#3 ; CINV W4,W2,EQ ;", "not X28, X2; sel.eq X4, X0, 3, X28, X2;"},
      {"CMP W0,#3 ; CNEG W4,W2,EQ ;", "neg X28, X2; sel.eq X4, X0, 3, X28, X2;"},
      {"CMP W0,#3 ; CSET W4,NE ;", "sel.ne X4, X0, 3, 1, 0;"},
      {"CMP W0,#3 ; CSETM W4,NE ;", "sel.ne X4, X0, 3, -1, 0;"},
      {"TST W0,#4 ; CSEL W4,W0,W2,NE ;", "and X28, X0, 4; sel.ne X4, X28, 0, X0, X2;"},
      {"CMP W0,#3 ; CSEL WZR,W0,W2,EQ ;", ""},
  };
  for (const Case& one : cases) {
    const std::string loads = "LDR W0,[X1] ; LDR W2,[X3] ;";
    const std::string expected = one.expected.empty() ? "" : " " + std::string(one.expected);
    EXPECT_EQ(lowered(loads + std::string(one.code)), "ld X0, x; ld X2, y;" + expected) << one.code;
  }
  // The comparison and the choice have widths of their own; a choice of lower halves clears the upper one.
  EXPECT_EQ(lowered("LDR W0,[X1] ; CMP W0,#1 ; CSEL X4,X1,X3,EQ ; STR W0,[X4] ;"),
            "{ 0:s64 X4; } ld X0, x; sel.eq X4, X0, 1, &x, &y; st [X4], X0;");
  EXPECT_EQ(lowered("LDR X0,[X1] ; CMP X0,#1 ; CSEL W2,W0,WZR,EQ ; STR X2,[X3] ;"),
            "{ s64 x; s64 y; 0:s64 X0; 0:s64 X2; } ld X0, x; sel.eq X2, X0, 1, X0, 0; and X2, X2, 4294967295; st y, "
            "X2;");
}

TEST(ReadAArch64, WidthsOfRegisters) {
  // A load of the lower half clears the upper one; so does a computation.
  EXPECT_EQ(lowered("LDR W0,[X1] ; STR X0,[X3] ;"), "{ u32 x; s64 y; 0:s64 X0; } ld X0, x; st y, X0;");
  EXPECT_EQ(lowered("LDR X0,[X1] ; ADD W0,W0,#1 ; STR X0,[X3] ;"),
            "{ s64 x; s64 y; 0:s64 X0; } ld X0, x; add X0, X0, 1; and X0, X0, 4294967295; st y, X0;");
  EXPECT_EQ(lowered("LDR W2,[X1] ; ADD W0,W2,#1 ; STR X0,[X3] ;"),
            "{ s64 y; 0:s64 X0; } ld X2, x; add X28, X2, 1; mov X0, X28; and X0, X0, 4294967295; st y, X0;");
  EXPECT_EQ(lowered("MOV W0,#-1 ; STR X0,[X3] ;", "x;"), "{ s64 y; x; } st y, 4294967295;");
  // Comparing the lower half of a full register takes a copy of it.
  EXPECT_EQ(lowered("LDR X0,[X1] ; CBZ W0,L ; L: ;"), "{ s64 x; 0:s64 X0; } ld X0, x; mov X28, X0; beq X28, 0, L; L:;");
  // A constant is cut to what is stored of it.
  EXPECT_EQ(lowered("MOV W0,#514 ; STRB W0,[X1] ;"), "{ u8 x; } st x, 2;");
  EXPECT_EQ(lowered("LDR W0,[X1] ;", "int64_t 0:X0;"), "{ u32 x; 0:s64 X0; } ld X0, x;");
}

TEST(ReadAArch64, Arithmetic) {
  const Case cases[] = {
      {"ADD W0,W0,#1 ;", "add X0, X0, 1;"},
      {"SUB W0,W0,W2 ;", "sub X0, X0, X2;"},
      {"ORR W0,W0,#1 ;", "or X0, X0, 1;"},
      {"MUL W0,W0,W2 ;", "mul X0, X0, X2;"},
      {"MVN W0,W0 ;", "not X0, X0;"},
      {"NEG W0,W0 ;", "neg X0, X0;"},
      {"LSL W0,W0,#2 ;", "shl X0, X0, 2;"},
      {"ASR W0,W0,#2 ;", "shr X0, X0, 2;"},
      {"LSR W0,W0,#4 ;", "shr X0, X0, 4; and X0, X0, 268435455;"},
      {"MOV W0,W2 ;", "mov X0, X2;"},
      {"ADD W0,W0,W2,LSL #2 ;", "shl X28, X2, 2; add X0, X0, X28;"},
  };
  for (const Case& one : cases) {
    const std::string loads = "LDR W0,[X1] ; LDR W2,[X3] ; ";
    EXPECT_EQ(lowered(loads + std::string(one.code)), "ld X0, x; ld X2, y; " + std::string(one.expected)) << one.code;
  }
}

TEST(ReadAArch64, ConditionsNameEitherHalf) {
  const LitmusTest test = read_one("AArch64 T\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1] ;\nexists (0:W0=1 /\\ 0:X0=1)\n");
  EXPECT_EQ(test.observed().size(), 1u);
  EXPECT_EQ(test.arch, Arch::aarch64);
}

TEST(ReadAArch64, ATestThatOnlyObserves) {
  const LitmusTest test = read_one("AArch64 T\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1] ;\nlocations [x;0:X0;]\n");
  EXPECT_EQ(test.condition.quantifier, Condition::Quantifier::forall);
  EXPECT_EQ(test.observed().size(), 2u);
}

TEST(ReadAArch64, Mistakes) {
  const Case cases[] = {
      {"LDRX W0,[X1] ;", "unknown instruction 'LDRX'\n"},
      {"CSEL W0,W1,W2,EQ ;", "expected a comparison before 'CSEL', with no label between\n"},
      {"CMP W0,#1 ; CSEL W0,X1,W2,EQ ;", "expected a W register, as the instruction has 32 bits\n"},
      {"CMP W0,#1 ; CSEL W0,W0,W2,AL ;", "expected a condition: EQ, NE, LT, LE, GT or GE; found 'AL'\n"},
      {"ADDS W0,W2,#1 ; CSEL W0,W0,W2,HI ;", "'HI' is supported only after a comparison\n"},
      {"CMP W0,#1 ; MOV W0,#2 ; CSET W2,CS ;",
       "'CS' needs a comparison before it whose registers have not changed since, with no label between\n"},
      {"MOVK W0,#70000 ;", "expected a number of 16 bits, shifted by a multiple of 16\n"},
      {"UBFX W0,W2,#30,#4 ;", "these bits are not within the register\n"},
      {"CMP W0,#1 ; CSINC W0,W2,EQ ;", "expected a register X0 to X30, W0 to W30, XZR or WZR, found 'EQ'\n"},
      {"TLBI VAAE1IS,X1 ;", "'TLBI' is not supported: address translation\n"},
      {"LDR W31,[X1] ;", "expected a register X0 to X30, W0 to W30, XZR or WZR, found 'W31'\n"},
      {"LDR W0,X1 ;", "expected '[' and the address, found 'X1'\n"},
      {"LDR W0,[W1] ;", "expected an X register for the address\n"},
      {"LDR W0,[X1,W2] ;", "expected ',' and SXTW after the W register, found ']'\n"},
      {"LDAR W0,[X1,#4] ;", "'LDAR' takes an address without index or offset\n"},
      {"LDRB X0,[X1] ;", "expected a W register for 'LDRB'\n"},
      {"CAS W0,X2,[X1] ;", "expected two registers of the same width\n"},
      {"DMB ALL ;",
       "expected one of SY, LD, ST, ISH, ISHLD, ISHST, OSH, OSHLD, OSHST, NSH, NSHLD or NSHST after 'DMB', found "
       "'ALL'\n"},
      {"ADD W0,X1,#1 ;", "expected a W register, as the instruction has 32 bits\n"},
      {"MOV W0,#0x1ffffffff ;", "8589934591 does not fit 32 bits\n"},
      {"LSL W0,W0,#32 ;", "expected a number of bits from 0 to 31\n"},
      {"B.EQ L ; L: ;", "expected a comparison before 'B.EQ', with no label between\n"},
      {"CMP W0,#1 ; L: ; B.EQ L ;", "expected a comparison before 'B.EQ', with no label between\n"},
      {"CMP W0,#1 ; MOV W0,#2 ; B.EQ L ; L: ;", "the compared registers change before 'B.EQ'; keep them until then\n"},
      {"SUBS W0,W0,#1 ; B.LT L ; L: ;",
       "'B.LT' needs an ordering, but the last instruction that set the flags tells only whether its result is zero; "
       "compare explicitly\n"},
      {"CMP W0,#1 ; B.NV L ; L: ;", "expected a condition: EQ, NE, LT, LE, GT or GE; found 'B.NV'\n"},
      {"B L ;", "this thread has no label 'L'\n"},
      {"LDR W2,[X3] ; LDCLR W2,W0,[X1] ;", "an atomic bit clear is supported only with a constant in its register\n"},
      {"LDR W0,[X3] ; CMP W0,W1 ; B.EQ L ; L: ;",
       "the lower half of an address is not supported; use the whole register\n"},
      {"LDR W0,[X1] W2 ;", "unexpected 'W2' after the instruction\n"},
      {"LDR W0,[X1,X2,LSL #5] ;", "expected a number of bits from 0 to 4\n"},
      {"LDP W0,W0,[X1] ;", "expected two different registers\n"},
      {"LDP W0,X2,[X1] ;", "expected a W register, as the instruction has 32 bits\n"},
      {"LDP X0,X1,[X1],#16 ;", "the address register is both loaded and moved\n"},
      {"STP W0,W2,[X1,X4] ;", "'STP' takes an address without an index\n"},
      {"LDPSW W0,W2,[X1] ;", "expected an X register for 'LDPSW'\n"},
      {"LDXP X0,X2,[X1] ;", "'LDXP' is not supported: exclusive pairs\n"},
      {"LDNP X0,X2,[X1] ;", "'LDNP' is not supported: non-temporal pairs\n"},
      {"CASPAL W0,W1,W2,W3,[X1] ;", "'CASPAL' is not supported: compare-and-swap of a pair\n"},
  };
  for (const Case& one : cases) EXPECT_EQ(mistakes_in(thread(std::string(one.code))), one.expected) << one.code;
}

TEST(ReadAArch64, MistakesInTheInitialState) {
  EXPECT_EQ(mistakes_in(thread("NOP ;", "[PTE(x)]=(oa:PA(x));")), "page table entries are not supported\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "ins_t 0:X5=instr:\"NOP\";")), "instructions as values are not supported\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "int z[1];")), "expected an array of 2 to 1024 elements\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "int z[2]={1,2,3};")), "array 'z' has only 2 elements\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "int z[2]; int z[2];")),
            "array 'z' is declared twice, or behind another array that names it\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "int z[2]; 0:X5=z[2];")), "array 'z' has 2 elements\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "int z={1,2};")),
            "a list of values is for an array; write its size behind its name, as in x[2]\n");
  EXPECT_EQ(mistakes_in(thread("NOP ;", "0:Q0=1;")), "'Q0' is not a register\n");
}

TEST(ReadAArch64, AThreadRunsOutOfRegisters) {
  std::string code;
  for (int i = 0; i < 31; ++i) code += "LDR W" + std::to_string(i) + ",[X1] ; ";
  EXPECT_EQ(mistakes_in(thread(code + "LDR WZR,[X1] ;")), "thread 0 needs more registers than there are\n");
}

}  // namespace
}  // namespace weakspot::litmus::read_aarch64_test
