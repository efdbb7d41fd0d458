// SPDX-License-Identifier: MIT
// The hashes are those that herd7 7.58 prints for these texts.
#include "litmus/herd_hash.h"

#include <gtest/gtest.h>

namespace weakspot::litmus::herd_hash_test {
namespace {

std::string hash_of_text(std::string_view text, std::uint32_t at = 0) {
  const std::optional<HerdIdentity> identity = herd_identity(text, at);
  return identity ? identity->arch + " " + identity->hash : "none";
}

constexpr std::string_view kAArch64 =
    "AArch64 A\n"
    "\"two words\"\n"
    "{ 0:X1=x; 0:x3=y; int y=2; uint64_t z; 1:X1=&x; (* a comment *) }\n"
    " P0            | P1 ;\n"
    " MOV W5, #16 | loop: LDR W0,[X1,#0] ;\n"
    " STR W5,[X1]   | CBNZ W0, loop ;\n"
    " LDR W2,[X3,W0,SXTW #0] | ;\n"
    "locations [z; 1:X0]\n"
    "exists (0:X2=2 /\\ not (x=16))\n";

constexpr std::string_view kC =
    "C c\n"
    "{ x = 0; }\n"
    "P0 (volatile int* y, atomic_int* x) {\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
    "}\n"
    "\n"
    "P1 (const int* y) {\n"
    "  int r0 = *y;\n"
    "}\n"
    "exists (1:r0=1)\n";

constexpr std::string_view kRiscv =
    "RISCV r\n"
    "{ 0:a0=x; }\n"
    " P0 ;\n"
    " addi t0,zero,0 ;\n"
    " fence ;\n"
    " lw x5,(a0) ;\n"
    " amoadd.w.aq.rl x6,x5,0(a0) ;\n"
    "L: bne x5,x0,L ;\n"
    "forall (0:x5=0)\n";

constexpr std::string_view kX86 =
    "X86 x\n"
    "{ }\n"
    " P0 ;\n"
    " mov [x],$1 ;\n"
    " CMP EAX,$0 ;\n"
    " JNE out ;\n"
    " MFENCE ;\n"
    "out: MOV EAX,[y] ;\n"
    "exists (0:EAX=0)\n";

constexpr std::string_view kX86_64 =
    "X86_64 x64\n"
    "{ }\n"
    " P0 ;\n"
    " movl $1, (x) ;\n"
    " mfence ;\n"
    " movl (y),%eax ;\n"
    "exists (0:rax=0)\n";

TEST(HerdHash, EachArchitecture) {
  EXPECT_EQ(hash_of_text(kAArch64), "AArch64 9b6dca3cc83ffc0b8da29150212df76a");
  EXPECT_EQ(hash_of_text(kC), "C 2fa565bbf18a9628b288ed760758dcd9");
  EXPECT_EQ(hash_of_text(kRiscv), "RISCV 438d70969c13e4b2a86fb91b5d8d063c");
  EXPECT_EQ(hash_of_text(kX86), "X86 4e078b4e29a18eb5dda47d35c01baefe");
  EXPECT_EQ(hash_of_text(kX86_64), "X86_64 bf0b84208b5a982491dd268abc902f5c");
}

TEST(HerdHash, TheTextMayGiveIt) {
  EXPECT_EQ(hash_of_text("AArch64 m\nHash=0123456789abcdef0123456789abcdef\n{ }\n P0 ;\n NOP ;\nexists (0:X0=0)\n"),
            "AArch64 0123456789abcdef0123456789abcdef");
}

TEST(HerdHash, OneOfSeveralTests) {
  const std::string both = std::string(kX86_64) + std::string(kX86);
  EXPECT_EQ(hash_of_text(both, 7), hash_of_text(kX86_64));
  EXPECT_EQ(hash_of_text(both, static_cast<std::uint32_t>(kX86_64.size() + 4)), hash_of_text(kX86));
}

TEST(HerdHash, DialectsThatHerdDoesNotHaveAndBrokenTexts) {
  EXPECT_EQ(hash_of_text("PTX t\n{ }\n P0 ;\n membar.gl ;\nexists (x=1)\n"), "none");
  for (std::string_view text :
       {"", "C", "C t", "C t\n{", "AArch64 t\n{ }", "RISCV t\n{ } P0 ;\n ( ;\n", "X86 t\n{}\nP0;\nLOCK;\n",
        "C t\n{}\nP0 (int* x) {", "AArch64 t\n{ ; = ; 0: ; int }\n P0 ;\n L: ;\n"}) {
    hash_of_text(text);
    hash_of_text(text, 1000);
  }
}

}  // namespace
}  // namespace weakspot::litmus::herd_hash_test
