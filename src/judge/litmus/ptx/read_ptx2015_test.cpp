// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_ptx2015_test {
namespace {

using tests::mistakes_in;
using tests::read_one;

constexpr const char* kRegisters =
    "0:.reg .s32 r0; 0:.reg .b64 r1 = x; 0:.reg .pred p; 0:.reg .u32 u; 0:.reg .u64 d; 0:.reg .b32 b; 0:.reg .u16 h; ";

// A test of one thread that is `line`.
std::string with(const std::string& line, const std::string& init = "") {
  return std::string("GPU_PTX t\n{ x=0; ") + kRegisters + init + " }\n T0 ;\n " + line + " ;\nexists (x=1)\n";
}

Instruction first(const std::string& line) {
  const LitmusTest test = read_one(with(line));
  if (test.threads.empty() || test.threads[0].instructions.empty()) return {};
  return test.threads[0].instructions[0];
}

constexpr const char* kStoreBuffering = R"(GPU_PTX SB
{0:.reg .s32 r0;      0:.reg .s32 r2;
 0:.reg .b64 r1 = x;  0:.reg .b64 r3 = y;
 1:.reg .s32 r0;      1:.reg .s32 r2;
 1:.reg .b64 r1 = y;  1:.reg .b64 r3 = x;}
 T0                   | T1                   ;
 mov.s32 r0,1         | mov.s32 r0,1         ;
 st.cg.s32 [r1],r0    | st.cg.s32 [r1],r0    ;
 ld.cg.s32 r2,[r3]    | ld.cg.s32 r2,[r3]    ;
ScopeTree(grid(cta(warp T0) (warp T1)))
x: shared, y: global
exists (0:r2=0 /\ 1:r2=0)
)";

TEST(ReadPtx2015, TheTestOfTheStudy) {
  const LitmusTest test = read_one(kStoreBuffering);
  EXPECT_EQ(test.arch, Arch::ptx2015);
  EXPECT_EQ(*print(test, Dialect::canonical),
            "weakspot SB\nArch=ptx-2015\n{ shared x; global y; }\n"
            " P0             | P1             ;\n"
            " st.na.cg x, 1  | st.na.cg y, 1  ;\n"
            " ld.na.cg r2, y | ld.na.cg r2, x ;\n"
            "scopes (wg P0 P1)\nexists (0:r2=0 /\\ 1:r2=0)\n");
}

TEST(ReadPtx2015, ScopeTreesOfTheStudyAndOfTheTool) {
  const std::string program =
      "{ 0:.reg .b64 r1=x; 1:.reg .b64 r1=x; 2:.reg .b64 r1=x; }\n P0 | P1 | P2 ;\n st [r1],1 | st [r1],1 | st [r1],2 "
      ";\n";
  const std::string trees[] = {
      "ScopeTree(grid(cta(warp P0) (warp P1)) (cta (warp P2)))",
      "scopeTree (device (kernel (cta (warp P0) (warp P1)) (cta (warp P2))))",
      "scopeTree (device (cta P0 P1) (cta P2))",
      "scopeTree (kernel (block (sub_group P0) (sub_group P1)) (work_group (warp P2)))",
  };
  for (const std::string& tree : trees) {
    const LitmusTest test = read_one("GPU_PTX t\n" + program + tree + "\nexists (x=1)\n");
    ASSERT_TRUE(test.scopes) << tree;
    EXPECT_TRUE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::workgroup)) << tree;
    EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::subgroup)) << tree;
    EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{2}, Scope::workgroup)) << tree;
  }
}

TEST(ReadPtx2015, AccessesArePlain) {
  const Instruction load = first("ld.volatile.global.s32 r0, [r1]");
  const Access* access = access_of(load);
  ASSERT_NE(access, nullptr);
  EXPECT_EQ(access->order, Order::plain);
  EXPECT_TRUE(access->tags.has(Tag::volatile_));
  EXPECT_EQ(access->space, Space::global);
  EXPECT_EQ(first("ld.s32 r0, [r1]"), first("ld r0, [x]"));
  for (const char* cache : {"ca", "cg", "cs", "lu", "cv"}) {
    const Instruction cached = first(std::string("ld.") + cache + ".s32 r0, [r1]");
    EXPECT_EQ(to_string(access_of(cached)->cache), cache);
  }
  for (const char* cache : {"wb", "cg", "cs", "wt"}) {
    const Instruction cached = first(std::string("st.") + cache + ".s32 [r1], r0");
    EXPECT_EQ(to_string(access_of(cached)->cache), cache);
  }
}

TEST(ReadPtx2015, AtomicsAndFences) {
  const auto add = std::get<Rmw>(first("atom.global.add.u32 u, [r1], 1").operation);
  EXPECT_EQ(add.access.order, Order::relaxed);
  EXPECT_EQ(add.access.scope, Scope::device);
  EXPECT_EQ(add.access.type, Type::u32);
  EXPECT_EQ(std::get<Fence>(first("membar.cta").operation).scope, Scope::workgroup);
  EXPECT_EQ(std::get<Fence>(first("membar.gl").operation).scope, Scope::device);
  EXPECT_EQ(std::get<Fence>(first("membar.sys").operation).scope, Scope::system);
  EXPECT_EQ(std::get<Barrier>(first("bar.sync 0").operation).kind, Barrier::Kind::sync);
}

TEST(ReadPtx2015, GuardsAndPredicates) {
  const LitmusTest test = read_one(
      "GPU_PTX t\n{ 0:.reg .pred p; 0:.reg .s32 r0; 0:.reg .b64 r1=x; }\n P0 ;\n ld.s32 r0, [r1] ;\n setp.eq.s32 p, "
      "r0, 0 "
      ";\n @p bra L ;\n @!p membar.gl ;\n L: ;\nexists (0:r0=0)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_EQ(std::get<Compute>(code[1].operation).op, ComputeOp::eq);
  EXPECT_FALSE(code[2].guard->negated);
  EXPECT_TRUE(code[3].guard->negated);
}

// Figure 13 of the study: the register that holds the address is written, so it stays.
TEST(ReadPtx2015, AddressDependency) {
  const LitmusTest test = read_one(
      "GPU_PTX t\n{ 0:.reg .b64 r0=x; 0:.reg .s32 r1; 0:.reg .b32 r2; 0:.reg .u64 r3; 0:.reg .b64 r4=y; 0:.reg .s32 "
      "r5; }\n"
      " P0 ;\n ld.s32 r1, [r0] ;\n and.b32 r2, r1, 0x80000000 ;\n cvt.u64.u32 r3, r2 ;\n add.u64 r4, r4, r3 ;\n"
      " ld.s32 r5, [r4] ;\nexists (0:r5=0)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_EQ(access_of(code[4])->address.index, test.find_register(ThreadId{0}, "r4"));
  // Zero-extending a register that holds signed numbers masks it.
  EXPECT_EQ(std::get<Compute>(code[2].operation).right, Operand(integer(0xffffffff)));
}

TEST(ReadPtx2015, EqualityLooksAtBits) {
  EXPECT_EQ(std::get<Compute>(first("setp.eq.s32 p, u, -1").operation).right, Operand(integer(0xffffffff)));
}

TEST(ReadPtx2015, Mistakes) {
  struct {
    const char* line;
    const char* message;
  } const cases[] = {
      {"ld.s32 r9, [r1]", "register 'r9' is not declared in the initial state\n"},
      {"ld.s32 r0, [r9]", "register 'r9' is not declared in the initial state\n"},
      {"ld.s32 r0, x", "expected '[' and an address, found 'x'\n"},
      {"ld.s32 r1, [r1]", "register 'r1' has type b64; a load of type s32 needs 32 bits\n"},
      {"ld.u16 d, [r1]", "register 'd' has type u64; a load of type u16 needs 16 bits\n"},
      {"st.s32 [r0], r0", "register 'r0' has type s32; an address has 64 bits\n"},
      {"st.s32 [r1], r1", "register 'r1' has type b64; a store of type s32 needs 32 bits\n"},
      {"atom.add.s32 p, [r1], 1", "register 'p' has type pred; a read-modify-write of type s32 needs 32 bits\n"},
      {"@r0 membar.gl", "register 'r0' has type s32; a guard must be a predicate\n"},
      {"setp.eq.s32 r0, r0, 1", "register 'r0' has type s32, but 'setp' writes a predicate\n"},
      {"setp.eq.s32 p, d, 1", "register 'd' has type u64, but 'setp' is of type s32\n"},
      {"setp.lt.b32 p, b, 1", "'setp.lt' needs a signed or unsigned type, not b32\n"},
      {"setp.lt.u32 p, r0, 1", "register 'r0' has type s32, which 'setp.lt.u32' would read with another sign\n"},
      {"setp.eq.s32 p, r0, u",
       "register 'r0' has type s32 and register 'u' has type u32; 'setp' needs both signed or both unsigned\n"},
      {"setp.eq.s32 p, r0, 4294967296", "4294967296 does not fit 'setp' of type s32\n"},
      {"add.pred p, p, p", "'add' has no type pred\n"},
      {"add d, d, 1", "register 'd' has type u64, but 'add' is of type s32\n"},
      {"shr.b32 r0, r0, 1", "register 'r0' has type s32, which 'shr.b32' would read with another sign\n"},
      {"shl.b64 d, d, d", "register 'd' has type u64, but a shift amount has 32 bits\n"},
      {"cvt.s64.s32 d, u", "register 'u' has type u32; 'cvt' from s32 would extend its sign\n"},
      {"cvt.u32.pred u, p", "'cvt' does not convert predicates\n"},
      {"mov.s32 r0, &x", "an address has 64 bits, but 'mov' is of type s32\n"},
      {"ld.relaxed.gpu.s32 r0, [r1]", "unexpected suffix '.relaxed' of 'ld'\n"},
      {"ld.volatile.cg.s32 r0, [r1]", "a cache operator is for weak accesses only\n"},
      {"fence.sc.gpu", "unknown instruction 'fence'\n"},
      {"bne r0, 0, L", "unknown instruction 'bne'\n"},
      {"bar.cta.sync 0", "unexpected suffix '.cta' of 'bar'\n"},
      {"bra L", "this thread has no label 'L'\n"},
  };
  for (const auto& c : cases) EXPECT_EQ(mistakes_in(with(c.line)), c.message) << c.line;
}

TEST(ReadPtx2015, MistakesOfDeclarations) {
  EXPECT_EQ(mistakes_in(with("membar.gl", "0:.reg .s32 a = x;")),
            "register 'a' has type s32; an address has 64 bits\n");
  EXPECT_EQ(mistakes_in(with("membar.gl", "0:.reg .s32 r0;")), "register 'r0' is declared twice\n");
  EXPECT_EQ(mistakes_in(with("membar.gl", "0:.reg .u16 a = 65536;")),
            "65536 does not fit register 'a', which has type u16\n");
  EXPECT_EQ(mistakes_in(with("ld.global.s32 r0, [r1]", ".shared y; 0:.reg .b64 r2 = y;")), "");
  EXPECT_EQ(mistakes_in(with("ld.global.s32 r0, [r2]", ".shared y; 0:.reg .b64 r2 = y;")),
            "location 'y' is in space 'shared', but the access names 'global'\n");
}

}  // namespace
}  // namespace weakspot::litmus::read_ptx2015_test
