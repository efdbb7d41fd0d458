// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_ptx_test {
namespace {

using tests::mistakes_in;
using tests::read_one;

// A test of one thread that is `line`, with a store so that x is there.
std::string with(const std::string& line, const std::string& init = "") {
  return "PTX t\n{ x=0; " + init + " }\n P0 ;\n " + line + " ;\n st.weak x, 1 ;\nexists (x=1)\n";
}

Instruction first(const std::string& line, const std::string& init = "") {
  const LitmusTest test = read_one(with(line, init));
  if (test.threads.empty() || test.threads[0].instructions.empty()) return {};
  return test.threads[0].instructions[0];
}

Access access(const std::string& line, const std::string& init = "") {
  const Instruction instruction = first(line, init);
  const Access* found = access_of(instruction);
  EXPECT_NE(found, nullptr) << line;
  return found == nullptr ? Access() : *found;
}

TEST(ReadPtx, OrdersAndScopes) {
  struct {
    const char* line;
    Order order;
    Scope scope;
  } const cases[] = {
      {"ld.weak r0, x", Order::plain, Scope::device},
      {"ld.u32 r0, [x]", Order::plain, Scope::device},
      {"ld.relaxed.cta r0, x", Order::relaxed, Scope::workgroup},
      {"ld.acquire.cluster r0, x", Order::acquire, Scope::cluster},
      {"ld.acquire.gpu r0, [x]", Order::acquire, Scope::device},
      {"st.release.sys x, 1", Order::release, Scope::system},
      {"st.weak x, 1", Order::plain, Scope::device},
      {"atom.acq_rel.cta.add r0, x, 1", Order::acq_rel, Scope::workgroup},
      {"atom.add r0, x, 1", Order::relaxed, Scope::device},
      {"red.release.sys.max x, 1", Order::release, Scope::system},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(access(c.line).order, c.order) << c.line;
    EXPECT_EQ(access(c.line).scope, c.scope) << c.line;
  }
}

TEST(ReadPtx, VolatileIsRelaxedOfTheSystem) {
  const Access volatile_load = access("ld.volatile.global.u32 r0, [x]");
  EXPECT_EQ(volatile_load.order, Order::relaxed);
  EXPECT_EQ(volatile_load.scope, Scope::system);
  EXPECT_TRUE(volatile_load.tags.has(Tag::volatile_));
  EXPECT_EQ(volatile_load.space, Space::global);
  EXPECT_EQ(volatile_load.type, Type::u32);
}

TEST(ReadPtx, Proxies) {
  EXPECT_EQ(access("tld.weak r0, x").proxy, Proxy::texture);
  EXPECT_EQ(access("cold.weak r0, x").proxy, Proxy::constant);
  EXPECT_EQ(access("suld.weak r0, x").proxy, Proxy::surface);
  EXPECT_EQ(access("sust.relaxed.gpu x, 1").proxy, Proxy::surface);
  EXPECT_EQ(access("suatom.relaxed.gpu.exch r0, x, 1").proxy, Proxy::surface);
  const LitmusTest test = read_one(
      "PTX t\n{ x = 1; y @ generic aliases x; t @ texture aliases y; }\n P0 ;\n tld.weak r0, t ;\nexists (0:r0=1)\n");
  const Location& texture = test[*test.find_location("t")];
  EXPECT_EQ(texture.proxy, Proxy::texture);
  EXPECT_EQ(texture.alias_of, test.find_location("y"));
  EXPECT_EQ(test[*texture.alias_of].alias_of, test.find_location("x"));
}

TEST(ReadPtx, VectorsAreOneAccessPerElement) {
  const LitmusTest test = read_one(
      "PTX t\n{ .b64 x; }\n P0 ;\n ld.relaxed.gpu.v2.b32 {r0, r1}, [x] ;\n st.weak.v4.b16 x, {1, 2, 3, 4} ;\n"
      "exists (0:r0=1)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  ASSERT_EQ(code.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const Access& element = *access_of(code[i]);
    EXPECT_EQ(element.address.offset, static_cast<std::int64_t>(i < 2 ? 4 * i : 2 * (i - 2)));
    EXPECT_EQ(element.tags.has(Tag::vector), i != 0 && i != 2);
    EXPECT_EQ(element.type, i < 2 ? Type::b32 : Type::u16);
  }
  EXPECT_EQ(std::get<Store>(code[5].operation).value, Operand(integer(4)));
}

TEST(ReadPtx, ReadModifyWrites) {
  const auto cas = std::get<Rmw>(first("atom.acquire.gpu.cas r0, x, 1, 2").operation);
  EXPECT_EQ(cas.op, RmwOp::cas);
  EXPECT_EQ(cas.expected, Operand(integer(1)));
  EXPECT_EQ(cas.operand, Operand(integer(2)));
  EXPECT_TRUE(cas.target);
  EXPECT_FALSE(std::get<Rmw>(first("red.relaxed.gpu.add x, 1").operation).target);
  EXPECT_EQ(first("red.relaxed.gpu.add x, 1"), first("atom.relaxed.gpu.add _, x, 1"));
  for (const char* op : {"exch", "add", "sub", "inc", "dec", "and", "or", "xor", "min", "max"}) {
    EXPECT_EQ(to_string(std::get<Rmw>(first(std::string("atom.") + op + ".u32 r0, [x], 3").operation).op), op);
  }
}

TEST(ReadPtx, Fences) {
  auto fence = [](const char* line) { return std::get<Fence>(first(line).operation); };
  EXPECT_EQ(fence("fence.sc.cta").order, Order::seq_cst);
  EXPECT_EQ(fence("fence.acq_rel.gpu").order, Order::acq_rel);
  EXPECT_EQ(fence("fence.acquire.sys").order, Order::acquire);
  EXPECT_EQ(fence("fence.release.cluster").scope, Scope::cluster);
  EXPECT_EQ(fence("fence.gpu"), fence("fence.acq_rel.gpu"));
  EXPECT_EQ(fence("membar.gl").kind, FenceKind::membar);
  EXPECT_EQ(fence("membar.sys").scope, Scope::system);
  for (Proxy proxy : {Proxy::alias, Proxy::texture, Proxy::surface, Proxy::constant, Proxy::async}) {
    const Fence read = fence(("fence.proxy." + std::string(to_string(proxy))).c_str());
    EXPECT_EQ(read.kind, FenceKind::proxy);
    EXPECT_EQ(read.proxy, proxy);
  }
}

TEST(ReadPtx, Barriers) {
  auto barrier = [](const char* line) { return std::get<Barrier>(first(line).operation); };
  EXPECT_EQ(barrier("bar.cta.sync 1").id, Operand(integer(1)));
  EXPECT_EQ(barrier("bar.cta.sync 1"), barrier("bar.sync 1"));
  const Barrier named = barrier("bar.cta.arrive 1, 2, 3");
  EXPECT_EQ(named.kind, Barrier::Kind::arrive);
  EXPECT_EQ(named.name, Operand(integer(2)));
  EXPECT_EQ(named.quorum, Operand(integer(3)));
  const Barrier counted = barrier("bar.arrive 1, 64");
  EXPECT_FALSE(counted.name);
  EXPECT_EQ(counted.quorum, Operand(integer(64)));
  EXPECT_EQ(barrier("barrier.cluster.sync").scope, Scope::cluster);
}

TEST(ReadPtx, ComputationAndControl) {
  auto compute = [](const char* line) { return std::get<Compute>(first(line).operation); };
  EXPECT_EQ(compute("add r0, r1, 1").op, ComputeOp::add);
  EXPECT_EQ(compute("mul.lo.s32 r0, r1, 2").op, ComputeOp::mul);
  EXPECT_EQ(compute("setp.le.s32 p, r1, 2").op, ComputeOp::le);
  EXPECT_EQ(first("ld r0, 1").operation, first("mov r0, 1").operation);
  const LitmusTest test = read_one(
      "PTX t\n{}\n P0 ;\n LC00: ;\n ld.weak r0, x ;\n bge r0, 1, LC01 ;\n goto LC00 ;\n LC01: ;\nexists (0:r0=1)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  ASSERT_EQ(code.size(), 5u);
  EXPECT_EQ(std::get<Branch>(code[2].operation).condition->op, CompareOp::ge);
  EXPECT_FALSE(std::get<Branch>(code[3].operation).condition);
}

TEST(ReadPtx, Addresses) {
  EXPECT_EQ(access("ld.weak r0, x"), access("ld.weak r0, [x]"));
  EXPECT_EQ(access("ld.weak r0, [r1]", "0:r1 = x;"), access("ld.weak r0, x"));
  const Access indexed = access("ld.relaxed.gpu r0, [x+r2+0]");
  EXPECT_TRUE(indexed.address.location);
  EXPECT_FALSE(indexed.address.index) << "r2 is never written, so it is 0";
  EXPECT_EQ(access("ld.weak.u32 r0, [p+4]", ".u64 p;").address.offset, 4);
}

TEST(ReadPtx, AddressDependency) {
  const LitmusTest test = read_one(
      "PTX t\n{}\n P0 ;\n ld.relaxed.gpu r0, x ;\n xor r1, r0, r0 ;\n ld.relaxed.gpu r2, [y+r1] ;\nexists (0:r2=1)\n");
  const Access& load = std::get<Load>(test.threads[0].instructions[2].operation).access;
  EXPECT_EQ(load.address.location, test.find_location("y"));
  EXPECT_EQ(load.address.index, test.find_register(ThreadId{0}, "r1"));
}

TEST(ReadPtx, TypesComeFromDeclarationsAndFirstWrites) {
  const LitmusTest test = read_one(
      "PTX t\n{ .u64 p = &x; 0:.reg .u16 r3; 0:q = 1; }\n P0 ;\n ld.relaxed.sys r0, p ;\n ld.weak.u8 r1, [r0] ;\n"
      " setp.eq c, r1, q ;\n ld.weak.u16 r3, z ;\nexists (0:r1=0 /\\ 0:r3=0 /\\ 0:r0=x)\n");
  auto type = [&](const char* name) {
    return test.threads[0].registers[test.find_register(ThreadId{0}, name)->index].type;
  };
  EXPECT_EQ(type("r0"), Type::u64);
  EXPECT_EQ(type("r1"), Type::u8);
  EXPECT_EQ(type("c"), Type::pred);
  EXPECT_EQ(type("r3"), Type::u16);
  EXPECT_EQ(test[*test.find_location("z")].type, Type::u16);
}

TEST(ReadPtx, Placement) {
  const LitmusTest test = read_one(
      "PTX t\n{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0,sys 0 | P3@cta 0,gpu 1 ;\n st.weak x, 1 | | | "
      ";\nexists (x=1)\n");
  const ScopeTree& tree = *test.scopes;
  EXPECT_TRUE(tree.together(ThreadId{0}, ThreadId{1}, Scope::workgroup));
  EXPECT_FALSE(tree.together(ThreadId{0}, ThreadId{2}, Scope::workgroup));
  EXPECT_TRUE(tree.together(ThreadId{0}, ThreadId{2}, Scope::device));
  EXPECT_FALSE(tree.together(ThreadId{0}, ThreadId{3}, Scope::device));
}

TEST(ReadPtx, Mistakes) {
  struct {
    const char* line;
    const char* message;
  } const cases[] = {
      {"ld.release.gpu r0, x", "a load cannot be 'release'; expected weak, relaxed, acquire or volatile\n"},
      {"st.acquire.gpu x, 1", "a store cannot be 'acquire'; expected weak, relaxed, release or volatile\n"},
      {"atom.sc.gpu.add r0, x, 1",
       "a read-modify-write cannot be 'sc'; expected relaxed, acquire, release or acq_rel\n"},
      {"ld.relaxed r0, x", "a relaxed load needs a scope: cta, cluster, gpu or sys\n"},
      {"ld.weak.gpu r0, x", "a weak load has no scope\n"},
      {"ld.relaxed.gpu.sys r0, x", "unexpected suffix '.sys' of 'ld'\n"},
      {"ld.relaxed.gpu.ca r0, x", "a cache operator is for weak accesses only\n"},
      {"st.weak.ca x, 1", "a store has no cache operator '.ca'\n"},
      {"ld.weak r0, r1", "expected '[' and an address, found 'r1'\n"},
      {"ld.weak r0, [x", "expected ']' after the address, found the end\n"},
      {"st.weak x, y",
       "'y' is not a register; registers are r0, r1, ..., those declared in the initial state and those written "
       "above\n"},
      {"st.weak x", "expected ',' between operands, found the end\n"},
      {"st.weak x, 1 2", "unexpected '2' after the instruction\n"},
      {"ld.weak.v2 {r0, r1}, x", "a vector load needs the type of its elements\n"},
      {"ld.weak.v2.b16 {r0, r1}, [r1]", "a vector load cannot overwrite its own address\n"},
      {"atom.relaxed.gpu r0, x, 1",
       "'atom' needs an operation: exch, add, sub, inc, dec, and, or, xor, min, max or cas\n"},
      {"red.exch x, 1", "'red' has no operation 'exch'; use 'atom'\n"},
      {"fence.relaxed.gpu", "a fence cannot be 'relaxed'; expected acquire, release, acq_rel or sc\n"},
      {"fence.sc", "'fence' needs a scope: cta, cluster, gpu or sys\n"},
      {"fence.proxy.tensormap", "'fence.proxy' needs a proxy: alias, texture, surface, constant, async or generic\n"},
      {"membar.gpu", "'membar' needs a scope: cta, gl or sys\n"},
      {"bar.cta.wait 1", "'bar' needs 'sync' or 'arrive'\n"},
      {"setp.foo p, r0, 1", "'setp' needs a comparison: eq, ne, lt, le, gt or ge\n"},
      {"cvt.u64 r0, r1", "'cvt' needs two types, as in 'cvt.u64.u32'\n"},
      {"div r0, r1, 2", "unknown instruction 'div'\n"},
      {"ld.weak.pred r0, x", "a predicate cannot be in memory\n"},
      {"goto nowhere", "this thread has no label 'nowhere'\n"},
  };
  for (const auto& c : cases) EXPECT_EQ(mistakes_in(with(c.line)), c.message) << c.line;
}

TEST(ReadPtx, MistakesOfTypes) {
  EXPECT_EQ(mistakes_in(with("ld.weak.u64 r0, y", "0:.reg .s32 r0;")),
            "register 'r0' has type s32; a load of type u64 needs at least 64 bits\n");
  EXPECT_EQ(mistakes_in(with("add.u64 r0, r0, 1", "0:.reg .s32 r0;")),
            "register 'r0' has type s32, but 'add' is of type u64\n");
  EXPECT_EQ(mistakes_in(with("setp.lt.u32 p, r0, 1", "0:.reg .s32 r0;")),
            "register 'r0' has type s32, which 'setp.lt.u32' would read with another sign\n");
  EXPECT_EQ(mistakes_in(with("mov r0, 1", "0:.reg .u8 r0 = 300;")),
            "300 does not fit register 'r0', which has type u8\n");
}

TEST(ReadPtx, MistakesOfTheInitialState) {
  auto init = [](const char* items) { return mistakes_in(with("membar.gl", items)); };
  EXPECT_EQ(init("r1=0;"),
            "'r1' is the name of a register; expected a location, or a thread's register such as 0:r1\n");
  EXPECT_EQ(init(".local y;"), "'local' is neither a state space nor a type of memory\n");
  EXPECT_EQ(init("0:.reg .f32 r1;"),
            "unknown type 'f32' of a register; expected s8, u8, b8, s16, u16, b16, s32, u32, b32, s64, u64, b64 or "
            "pred\n");
  EXPECT_EQ(init("0:r1=0; 0:r1=1;"), "register 'r1' is declared twice\n");
  EXPECT_EQ(init("0:x=0;"), "'x' is the name of a location, so it cannot be a register's\n");
  EXPECT_EQ(init("0:y=0; 0:r1=y;"), "location 'y' has the name of a register\n");
}

TEST(ReadPtx, ManyLabelsInOneCell) {
  std::string labels;
  for (int i = 0; i < 50000; ++i) labels += "L" + std::to_string(i) + ": ";
  EXPECT_EQ(read_one(with(labels + "membar.gl")).threads[0].instructions.size(), 50002u);
}

}  // namespace
}  // namespace weakspot::litmus::read_ptx_test
