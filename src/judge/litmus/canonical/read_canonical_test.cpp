// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_canonical_test {
namespace {

using tests::read_one;

base::Result<std::vector<LitmusTest>> read(const std::string& text) { return read_tests(base::Source("t", text)); }

// The only instruction of a one-thread test.
Instruction instruction(const std::string& text) {
  LitmusTest test = read_one("weakspot t\nP0 ;\n" + text + " ;\nexists (true)\n");
  EXPECT_EQ(test.threads.size(), 1u);
  if (test.threads.size() != 1 || test.threads[0].instructions.size() != 1) {
    ADD_FAILURE() << text;
    return {};
  }
  return test.threads[0].instructions[0];
}

TEST(Canonical, ReadsMessagePassing) {
  const LitmusTest test = read_one(
      "weakspot MP+rel+acq\n\"one\"\n\"two\"\nExpect=sc forbidden, rel-acq forbidden, rmo allowed\nCycle=Rfe Fre\n"
      "P0 | P1 ;\nst x, 1 | ld.acq r0, y ;\nst.rel y, 1 | ld r1, x ;\nscopes (wg P0) (wg P1)\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(test.name, "MP+rel+acq");
  EXPECT_EQ(test.description, "one\ntwo");
  EXPECT_EQ(test.expectations.at("sc"), Expectation::forbidden);
  EXPECT_EQ(test.expectations.at("rmo"), Expectation::allowed);
  ASSERT_EQ(test.info.size(), 1u);
  EXPECT_EQ(test.info[0].second, "Rfe Fre");
  ASSERT_EQ(test.locations.size(), 2u);
  EXPECT_EQ(test.locations[1].name, "y");
  const Store& store = std::get<Store>(test.threads[0].instructions[1].operation);
  EXPECT_EQ(store.access.order, Order::release);
  EXPECT_EQ(store.access.scope, Scope::device);
  EXPECT_EQ(store.value, Operand(integer(1)));
  EXPECT_EQ(test.name_of(test.observed().at(1)), "1:r1");
  EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::workgroup));
  EXPECT_TRUE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::device));
}

TEST(Canonical, DefaultsAreRelaxedAtDeviceScope) {
  const Access access = *access_of(instruction("ld r0, x"));
  EXPECT_EQ(access, (Access{.address = {.location = LocationId{0}}}));
}

TEST(Canonical, SuffixesSetEveryField) {
  const Access access = *access_of(instruction("ld.na.shared.cg.texture.vol.vis.semsc0.semsc1.u8 r0, x"));
  EXPECT_EQ(access.order, Order::plain);
  EXPECT_EQ(access.space, Space::shared);
  EXPECT_EQ(access.cache, CacheOp::cg);
  EXPECT_EQ(access.proxy, Proxy::texture);
  EXPECT_TRUE(access.tags.has(Tag::volatile_));
  EXPECT_TRUE(access.tags.has(Tag::visible));
  EXPECT_FALSE(access.tags.has(Tag::available));
  EXPECT_TRUE(access.semantics.has(Space::storage1));
  EXPECT_EQ(access.type, Type::u8);
}

TEST(Canonical, CompareAndSwap) {
  const Rmw rmw = std::get<Rmw>(instruction("atom.cas.acqrel.wg.failacq.weak _, x, 0, 2, ok").operation);
  EXPECT_EQ(rmw.op, RmwOp::cas);
  EXPECT_FALSE(rmw.target.has_value());
  EXPECT_EQ(*rmw.expected, Operand(integer(0)));
  EXPECT_EQ(rmw.operand, Operand(integer(2)));
  EXPECT_EQ(rmw.failure_order, Order::acquire);
  EXPECT_TRUE(rmw.may_fail);
  EXPECT_TRUE(rmw.success.has_value());
}

// Every form is printed as it was written: the text is canonical already.
TEST(Canonical, InstructionsPrintAsTheyAreWritten) {
  const char* const lines[] = {
      "ld r0, x",
      "ld.acqpc r0, x+r1+4",
      "ld.na r0, [r1]",
      "ld.ex r0, [r1+8]",
      "st.sc.sys x, r0",
      "st.rel.ex r1, x, -1",
      "st.s64 [r2], &x+4",
      "atom.exch _, x, 1",
      "atom.inc.sg r0, x, 7",
      "atom.cas r0, x, r1, 1",
      "fence.sc",
      "fence.acqrel.wg.semglobal.semshared",
      "fence.rlx",
      "fence.proxy.texture.wg",
      "membar",
      "membar.sys",
      "dmb.sy",
      "dmb.ld",
      "dsb.ishst",
      "isb",
      "mfence",
      "sfence",
      "lfence",
      "avdev",
      "visdev",
      "bar",
      "bar.arrive.sg 1",
      "sel.eq r0, r1, 1, r0, &x",
      "sel.ge r1, r1, r0, -1, r1",
      "bar 1, _, 3",
      "bar.acqrel.memdev.semsc0 2, 4",
      "@r3 st x, 1",
      "@!r3 fence.sc",
      "L:",
  };
  for (const std::string line : lines) {
    const LitmusTest test =
        read_one("weakspot t\n P0 ;\n ld r0, x ; ld r1, x ; ld r2, x ; ld r3, x ;\n " + line + " ;\nexists (true)\n");
    const std::string printed = *print(test, Dialect::canonical);
    EXPECT_NE(printed.find("\n " + line + " "), std::string::npos) << printed;
    EXPECT_EQ(read_one(printed), test) << printed;
  }
}

TEST(Canonical, ComputeAndBranches) {
  const LitmusTest test = read_one(
      "weakspot t\nP0 ;\nL: ;\nld r0, x ;\nxor r1, r0, r0 ;\nnot r2, r0 ;\nge r3, r0, 2 ;\nbne r0, 1, L ;\nb E ;\nE: "
      "st x+r1, r2 ;\n"
      "exists (0:r3=1)\n");
  EXPECT_EQ(test.threads[0].instructions.size(), 9u);
  EXPECT_EQ(read_one(*print(test, Dialect::canonical)), test);
}

TEST(Canonical, InitialState) {
  const LitmusTest test = read_one(
      "weakspot t\n{ shared u64 x = 0xff; y; z @ surface aliases y; p = &x; 0:u64 r0 = 5; 0:r1 = &x+8; w = -3 }\nP0 ;\n"
      "ld r2, [r1] ; add r0, r0, 1 ; add r1, r1, 4 ;\nexists (w=-3 /\\ 0:r0=6 /\\ p=&x)\n");
  EXPECT_EQ(test.locations.size(), 5u);
  const Location& x = test[*test.find_location("x")];
  EXPECT_EQ(x.type, Type::u64);
  EXPECT_EQ(x.space, Space::shared);
  EXPECT_EQ(x.initial, integer(255));
  EXPECT_EQ(test[*test.find_location("z")].proxy, Proxy::surface);
  EXPECT_EQ(test[*test.find_location("p")].type, Type::s64);
  EXPECT_EQ(read_one(*print(test, Dialect::canonical)), test);
}

TEST(Canonical, SeveralTestsAndComments) {
  const auto tests = read(
      "(* a (* nested *) comment *)\nweakspot a (* here *)\nP0 ; // to the end\nst x, /* inside */ 1 ;\nexists (x=1)\n"
      "weakspot b\nP0 ;\nst x, 1 ;\n~exists (x=2)\nweakspot c\nP0 ;\nst x, 1 ;\nforall (x=1)");
  ASSERT_TRUE(tests.ok()) << base::render(tests.errors());
  ASSERT_EQ(tests->size(), 3u);
  EXPECT_EQ((*tests)[0].name, "a");
  EXPECT_EQ((*tests)[1].condition.quantifier, Condition::Quantifier::not_exists);
  EXPECT_EQ((*tests)[2].condition.quantifier, Condition::Quantifier::forall);
  EXPECT_EQ((*tests)[0].threads, (*tests)[2].threads);
}

TEST(Canonical, AllMistakesAreReportedAtOnce) {
  const auto tests = read(
      "weakspot a\nP0 | P1 ;\nldd r0, x | st x ;\nld.foo r0, x | ;\nexists (0:r0=1)\n"
      "weakspot b\nP0 ;\nst x, 1 ;\nexists (y=1)\nweakspot c\nP0 ;\nst x, 1 ;\nexists (x=1)\n");
  ASSERT_FALSE(tests.ok());
  EXPECT_EQ(tests.errors().size(), 4u) << base::render(tests.errors());
}

TEST(Canonical, HashIgnoresNamesButNotTheProgram) {
  const std::string program = "P0 | P1 ;\nst x, 1 | ld r0, x ;\nexists (1:r0=0)\n";
  const LitmusTest a = read_one("weakspot a\n\"first\"\nExpect=sc allowed\n" + program);
  const LitmusTest b = read_one("weakspot b\nCycle=Rfe\n" + program);
  const LitmusTest c = read_one("weakspot a\nP0 | P1 ;\nst x, 2 | ld r0, x ;\nexists (1:r0=0)\n");
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_NE(hash_of(a), hash_of(c));
}

TEST(ReadCanonical, SharedMemoryIsOneCopy) {
  auto mistakes = [](const std::string& arch, const std::string& tree, const std::string& init = "shared x;",
                     const std::string& second = "ld r0, x") {
    return tests::mistakes_in(fmt::format(
        "weakspot T\nArch={}\n{{ {} }}\n P0 | P1 ;\n st x, 1 | {} ;\n{}\nexists (1:r0=1)\n", arch, init, second, tree));
  };
  const std::string apart = "P0 and P1 use 'x', which is shared, and are not in one workgroup\n";
  const std::string clusters = "P0 and P1 use 'x', which is shared, and are not in one workgroup or cluster\n";
  EXPECT_EQ(mistakes("opencl", "scopes (wg P0) (wg P1)"), apart);
  EXPECT_EQ(mistakes("opencl", "scopes (cluster (wg P0) (wg P1))"), apart);
  EXPECT_EQ(mistakes("ptx-2015", ""), apart);
  EXPECT_EQ(mistakes("ptx", ""), clusters);
  EXPECT_EQ(mistakes("ptx", "scopes (cluster (wg P0)) (cluster (wg P1))"), clusters);
  EXPECT_EQ(mistakes("ptx", "", "shared x; y aliases x;", "ld r0, y"), clusters);
  EXPECT_EQ(mistakes("ptx", "", "shared x; y = &x;", "ld r0, y"), clusters);
  EXPECT_EQ(mistakes("ptx", "", "shared x;", "ld r0, y"), "");
  EXPECT_EQ(mistakes("ptx", "scopes (cluster (wg P0) (wg P1))"), "");
  EXPECT_EQ(mistakes("opencl", "scopes (wg P0 P1)"), "");
}

}  // namespace
}  // namespace weakspot::litmus::read_canonical_test
