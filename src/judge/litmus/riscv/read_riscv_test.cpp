// SPDX-License-Identifier: MIT
#include "support/assembly.h"

namespace weakspot::litmus::read_riscv_test {
namespace {

std::string thread(const std::string& code, const std::string& init = "") {
  return "RISCV T\n{ " + init + " }\n P0 ;\n" + code + "\nforall (true)\n";
}

std::string lowered(const std::string& code, const std::string& init = "") {
  return only_thread(read_one(thread(code, init)));
}

const char* const kTwo = "0:x6=x; 0:x8=y;";

TEST(ReadRiscv, Accesses) {
  EXPECT_EQ(lowered("lw x5,0(x6) ;", kTwo), "{ y; 0:s64 x5; } ld x5, x;");
  EXPECT_EQ(lowered("lw t0,(t1) ;", kTwo), "{ y; 0:s64 x5; } ld x5, x;");
  EXPECT_EQ(lowered("lw.aq x5,0(x6) ;", kTwo), "{ y; 0:s64 x5; } ld.acq x5, x;");
  EXPECT_EQ(lowered("ld x5,0(x6) ;", kTwo), "{ s64 x; y; 0:s64 x5; } ld x5, x;");
  EXPECT_EQ(lowered("lbu x5,0(x6) ;", kTwo), "{ u8 x; y; 0:s64 x5; } ld x5, x;");
  EXPECT_EQ(lowered("li x5,1 ; sw x5,0(x6) ;", kTwo), "{ y; } st x, 1;");
  EXPECT_EQ(lowered("ori x5,x0,1 ; sw.rl x5,0(x6) ;", kTwo), "{ y; } st.rel x, 1;");
  EXPECT_EQ(lowered("sw x0,0(x6) ;", kTwo), "{ y; } st x, 0;");
}

TEST(ReadRiscv, ReservationsAndAtomics) {
  EXPECT_EQ(lowered("lr.w.aq x5,(x6) ; sc.w.rl x7,x5,(x6) ;", kTwo),
            "{ y; 0:s64 x5; 0:s64 x7; } ld.acq.ex x5, x; st.rel.ex x7, x, x5;");
  EXPECT_EQ(lowered("amoadd.w.aqrl x5,x0,(x6) ;", kTwo), "{ y; 0:s64 x5; } atom.add.sc x5, x, 0;");
  EXPECT_EQ(lowered("amoswap.w.aq.rl x0,x0,0(x6) ;", kTwo), "{ y; } atom.exch.sc _, x, 0;");
}

TEST(ReadRiscv, Fences) {
  EXPECT_EQ(lowered("fence rw,w ; fence ; fence.tso ; fence.i ; fence iorw,ow ;", kTwo),
            "{ x; y; } riscv.rw.w; riscv.rw.rw; riscv.tso; riscv.i; riscv.rw.w;");
}

TEST(ReadRiscv, Dependencies) {
  EXPECT_EQ(lowered("lw x5,0(x6) ; xor x7,x5,x5 ; add x9,x7,x8 ; lw x10,0(x9) ;", kTwo),
            "{ 0:s64 x5; 0:s64 x7; 0:s64 x9; 0:s64 x10; } ld x5, x; xor x7, x5, x5; add x9, x7, &y; ld x10, [x9];");
  EXPECT_EQ(lowered("lw x5,0(x6) ; bne x5,x0,L ; L: nop ; sw x5,0(x8) ;", kTwo),
            "{ 0:s64 x5; } ld x5, x; bne x5, 0, L; L:; st y, x5;");
}

TEST(ReadRiscv, PrintsWhatItRead) {
  for (const char* code : {
           "lw x5,0(x6) ; fence r,rw ; lw.aq x7,0(x8) ;",
           "lr.w x5,(x6) ; sc.w.rl x7,x5,(x6) ; bne x7,x0,L ; fence w,w ; L: sw x5,0(x8) ;",
           "li x5,7 ; amoadd.w x7,x5,(x6) ; amomax.d.aqrl x9,x7,(x8) ; fence.tso ;",
           "lw x5,0(x6) ; xor x7,x5,x5 ; add x9,x7,x8 ; lw x10,0(x9) ; slli x10,x10,2 ; srai x10,x10,1 ;",
           "lw x5,0(x6) ; andi x5,x5,128 ; sub x7,x5,x5 ; neg x7,x7 ; not x7,x7 ; mv x9,x7 ; la x10,y ; slt x11,x9,x7 "
           ";",
           "lw x5,0(x6) ; srli x5,x5,4 ; sext.w x7,x5 ; addiw x7,x7,-1 ; lui x9,16 ; j L ; fence.i ; L: nop ;",
           "lb x5,0(x6) ; lhu x7,0(x8) ; blt x5,x7,L ; sd x5,0(x8) ; L: fence rw,rw ;",
       }) {
    expect_round_trip(read_one(thread(code, kTwo)), Dialect::riscv);
    expect_round_trip(read_one(thread(code, kTwo)), Dialect::canonical);
    expect_round_trip(read_one(thread(code, kTwo)), Dialect::json);
  }
}

TEST(ReadRiscv, ConditionsMayAskForRegistersThatAreNotUsed) {
  const LitmusTest test = read_one("RISCV T\n{ }\n P0 ;\n nop ;\nexists (0:a0=0 /\\ 0:x31=0)\n");
  EXPECT_EQ(test.threads[0].registers.size(), 2U);
}

// A register without a declaration is an int: its lower half counts, with its sign.
TEST(ReadRiscv, ConditionsCompareInts) {
  auto ends = [](const std::string& init, const std::string& code, const std::string& condition) {
    return only_thread(
        read_one("RISCV T\n{ " + init + " 0:x6=x; }\n P0 ;\n" + code + "\nforall (" + condition + ")\n"));
  };
  EXPECT_EQ(ends("int x=0xffff;", "lb x5,0(x6) ;", "0:x5=0xffffffff"), "{ x = 65535; 0:s64 x5; } ld.s8 x5, x;");
  EXPECT_EQ(ends("int64_t x=-1;", "ld x5,0(x6) ;", "0:x5=0xffffffff"),
            "{ s64 x = -1; 0:s64 x5; } ld x5, x; shl x5, x5, 32; shr x5, x5, 32;");
  EXPECT_EQ(ends("int64_t x=-1; int64_t 0:x5;", "ld x5,0(x6) ;", "0:x5=-1"), "{ s64 x = -1; 0:s64 x5; } ld x5, x;");
  for (const char* init : {"int64_t x=-1;", "int64_t x=-1; int64_t 0:x5;"}) {
    const std::string text = "RISCV T\n{ " + std::string(init) +
                             " 0:x6=x; }\n P0 ;\n ld x5,0(x6) ; ld x7,0(x6) ;\nforall (0:x5=0xffffffff /\\ 0:x7=-1)\n";
    expect_round_trip(read_one(text), Dialect::riscv);
  }
}

TEST(ReadRiscv, OtherDialectsRefuseItsFences) {
  const LitmusTest test = read_one(thread("fence r,w ; lw x5,0(x6) ;", kTwo));
  for (const Dialect dialect : {Dialect::aarch64, Dialect::x86_64, Dialect::ptx, Dialect::c11, Dialect::vulkan}) {
    const base::Result<LitmusTest> adapted = adapt(test, dialect);
    ASSERT_FALSE(adapted.ok());
    EXPECT_NE(adapted.errors()[0].message.find("riscv.r.w"), std::string::npos) << adapted.errors()[0].message;
  }
  const LitmusTest generic = read_one("weakspot T\n{ }\n P0 ;\n st x, 1 ;\nexists (x=1)\n");
  EXPECT_FALSE(adapt(generic, Dialect::riscv).ok());
}

}  // namespace
}  // namespace weakspot::litmus::read_riscv_test
