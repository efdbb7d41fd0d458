// SPDX-License-Identifier: MIT
#include "gen/mutate.h"

#include <gtest/gtest.h>

#include <set>

#include "gen/identity.h"
#include "gen/minimal.h"
#include "gen/name.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "litmus/text.h"
#include "support/program_of.h"
#include "support/read_one.h"

namespace weakspot::gen::mutate_test {
namespace {

using tests::program_of;

LitmusTest test_named(const std::string& name, litmus::Arch arch = litmus::Arch::generic) {
  TestOptions options;
  options.arch = arch;
  base::Result<LitmusTest> test = to_test(*cycle_named(name), options);
  EXPECT_TRUE(test.ok()) << base::render(test.errors());
  return *test;
}

std::vector<std::string> programs(const std::string& name, const std::string& word) {
  std::vector<std::string> list;
  for (const LitmusTest& mutant : mutate(test_named(name), {{word}, {}})) list.push_back(program_of(mutant));
  return list;
}

using Programs = std::vector<std::string>;

TEST(Mutate, Swap) {
  EXPECT_EQ(programs("CoRR", "swap"), (Programs{"st x, 1 | ld r1, x; ld r0, x"}));
  EXPECT_EQ(programs("MP", "swap"), Programs{});
  // A dependency keeps its order.
  EXPECT_EQ(programs("CoRR+addrs", "swap"), Programs{});
}

TEST(Mutate, Split) {
  EXPECT_EQ(programs("MP+poss", "split"), (Programs{"st x, 2; st y, 1 | ld r0, y; ld r1, x"}));
  EXPECT_EQ(programs("MP", "split"), Programs{});
}

TEST(Mutate, Scope) {
  EXPECT_EQ(programs("MP+membar.gls", "scope"), (Programs{"st.wg x, 1; membar; st y, 1 | ld r0, y; membar; ld r1, x",
                                                          "st x, 1; membar.wg; st y, 1 | ld r0, y; membar; ld r1, x",
                                                          "st x, 1; membar; st.wg y, 1 | ld r0, y; membar; ld r1, x",
                                                          "st x, 1; membar; st y, 1 | ld.wg r0, y; membar; ld r1, x",
                                                          "st x, 1; membar; st y, 1 | ld r0, y; membar.wg; ld r1, x",
                                                          "st x, 1; membar; st y, 1 | ld r0, y; membar; ld.wg r1, x"}));
}

// The waits and releases of asynchronous operations are dropped, narrowed and weakened as well.
TEST(Mutate, Asynchronous) {
  const LitmusTest test = tests::read_one(
      "weakspot T\nArch=ptx\n{ shared x; shared b = 1; }\n P0 | P1 ;\n fence.proxy.async | mbar.wait.cluster b, 0 ;\n"
      " mbar.arrive.cluster _, b | bar.arrive.cluster ;\n | ld.na r0, x ;\nscopes (cluster (wg P0) (wg P1))\n"
      "exists (1:r0=0)\n");
  auto mutants = [&](const char* word) {
    Programs list;
    for (const LitmusTest& mutant : mutate(test, {{word}, {}})) list.push_back(program_of(mutant));
    return list;
  };
  const std::string fence = "fence.proxy.async; ";
  const std::string arrive = "mbar.arrive.cluster _, b | ";
  const std::string rest = "bar.arrive.cluster; ld.na r0, x";
  EXPECT_EQ(mutants("scope"), (Programs{fence + "mbar.arrive _, b | mbar.wait.cluster b, 0; " + rest,
                                        fence + arrive + "mbar.wait b, 0; " + rest}));
  EXPECT_EQ(mutants("order"),
            (Programs{fence + "mbar.arrive.rlx.cluster _, b | mbar.wait.cluster b, 0; " + rest,
                      fence + arrive + "mbar.wait.rlx.cluster b, 0; " + rest,
                      fence + arrive + "mbar.wait.cluster b, 0; bar.arrive.cluster.rlx; ld.na r0, x"}));
  EXPECT_EQ(mutants("fence"),
            (Programs{arrive + rest, arrive + "mbar.wait.cluster b, 0; " + rest, fence + arrive + rest}));
}

TEST(Mutate, Order) {
  EXPECT_EQ(programs("MP+rel+acq", "order"),
            (Programs{"st x, 1; st y, 1 | ld.acq r0, y; ld r1, x", "st x, 1; st.rel y, 1 | ld r0, y; ld r1, x"}));
  // Threads that are alike give one mutant between them.
  EXPECT_EQ(programs("SB+fence.scs", "order"),
            (Programs{"st x, 1; fence.acqrel; ld r0, y | st y, 1; fence.sc; ld r0, x"}));
  EXPECT_EQ(programs("SB+sc", "order").size(), 2u);
}

TEST(Mutate, FencesOfThreeAndFourThreads) {
  // Every set of fences that is left out, but sets that differ by a rotation of the threads only once.
  EXPECT_EQ(programs("ISA2+fence.scs", "fence").size(), 7u);
  EXPECT_EQ(programs("3.SB+fence.scs", "fence").size(), 3u);
  EXPECT_EQ(programs("IRIW+fence.scs", "fence").size(), 2u);
  EXPECT_EQ(programs("4.SB+fence.scs", "fence").size(), 5u);
}

TEST(Mutate, OriginsAreToldAndNamesDiffer) {
  const LitmusTest parent = test_named("IRIW+fence.scs");
  std::set<std::string> names;
  for (const LitmusTest& mutant : mutate(parent)) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    EXPECT_EQ(info_of(mutant, "Parent"), "IRIW+fence.scs");
    EXPECT_TRUE(info_of(mutant, "Mutator") && info_of(mutant, "Edge")) << mutant.name;
    EXPECT_TRUE(litmus::validate(mutant).empty()) << mutant.name;
    LitmusTest normal = mutant;
    litmus::normalize(normal);
    EXPECT_EQ(normal, mutant) << mutant.name;
  }
  EXPECT_GT(names.size(), 5u);
}

TEST(Mutate, NamesSayWhatAndWhere) {
  const auto names = [](const std::string& name, const std::string& word) {
    std::vector<std::string> list;
    for (const LitmusTest& mutant : mutate(test_named(name), {{word}, {}})) list.push_back(mutant.name);
    return list;
  };
  EXPECT_EQ(names("MP+rel+acq", "order"), (Programs{"MP+rel+acq-order.rlx.P0", "MP+rel+acq-order.rlx.P1"}));
  EXPECT_EQ(names("SB+fence.scs", "fence"), (Programs{"SB+fence.scs-nofence", "SB+fence.scs-nofence.P0"}));
  EXPECT_EQ(names("CoRR", "swap"), (Programs{"CoRR-reversed"}));
  EXPECT_EQ(names("CoWW", "swap"), (Programs{"CoWW-reversed.P1", "CoWW-reversed.P2"}));
  EXPECT_EQ(names("MP", "scope"),
            (Programs{"MP-scope.wg.P0.0", "MP-scope.wg.P0.1", "MP-scope.wg.P1.0", "MP-scope.wg.P1.1"}));
  EXPECT_EQ(names("MP+poss", "split"), (Programs{"MP+poss-split"}));
}

TEST(Mutate, ASwappedLoadIsAskedForTheInitialValue) {
  const LitmusTest test =
      tests::read_one("weakspot T\n P0 | P1 ;\n st x, 1 | st x, 2 ;\n ld r0, x | ;\nexists (0:r0=2 /\\ x=1)\n");
  const std::vector<LitmusTest> mutants = mutate(test, {{"swap"}, {}});
  ASSERT_EQ(mutants.size(), 1u);
  EXPECT_EQ(program_of(mutants[0]), "ld r0, x; st x, 1 | st x, 2");
  EXPECT_EQ(litmus::condition_line(mutants[0]), "exists (0:r0=0 /\\ x=1)");
}

TEST(Mutate, OutcomesOfADisjunctionAreNotSplit) {
  EXPECT_TRUE(mutate(tests::read_one("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n st x, 2 | ld r1, x ;\n"
                                     "exists (1:r0=2 /\\ 1:r1=0 \\/ 1:r1=3)\n"),
                     {{"split"}, {}})
                  .empty());
}

TEST(Mutate, KeepsOnlyWhatTheModelAllows) {
  // Acts as a model that forbids every test with an acquire.
  const auto allowed = [](const LitmusTest& test) { return program_of(test).find(".acq") == std::string::npos; };
  const std::vector<LitmusTest> mutants = mutate(test_named("MP+rel+acq"), {{"order"}, allowed});
  ASSERT_EQ(mutants.size(), 1u);
  EXPECT_EQ(program_of(mutants[0]), "st x, 1; st.rel y, 1 | ld r0, y; ld r1, x");
}

TEST(MutateCycle, ThreeAndFourThreads) {
  EXPECT_EQ(weaken_sw(*cycle_named("ISA2+fence.scs"))->size(), 7u);
  // The two readers are alike.
  EXPECT_EQ(weaken_sw(*cycle_named("IRIW+fence.scs"))->size(), 2u);
  EXPECT_EQ(reverse_po_loc(*cycle_named("IRIW+poss"))->size(), 1u);
  const std::vector<LitmusTest> split = *weaken_po_loc(*cycle_named("IRIW+poss"));
  ASSERT_EQ(split.size(), 1u);
  EXPECT_EQ(canonical_hash(split[0]), canonical_hash(test_named("IRIW")));
  EXPECT_TRUE(weaken_po_loc(*cycle_named("CoRR"))->empty());
  EXPECT_TRUE(weaken_po_loc(*cycle_named("MP"))->empty());
}

// Acts as a model of release and acquire: a cycle is forbidden if every thread but the first has an acquire first and
// every thread but the last a release last.
bool release_acquire_forbids_mp(const LitmusTest& test) {
  const std::string program = program_of(test);
  const bool release = program.find("st.rel y") != std::string::npos || program.find("st.sc y") != std::string::npos;
  const bool acquire = program.find("ld.acq r0") != std::string::npos || program.find("ld.sc r0") != std::string::npos;
  return release && acquire;
}

TEST(Minimal, MessagePassingNeedsOneReleaseAndOneAcquire) {
  std::size_t asked = 0;
  base::Result<std::vector<Cycle>> minimal = minimally_forbidden(*cycle_named("MP"), {}, [&](const LitmusTest& test) {
    ++asked;
    return release_acquire_forbids_mp(test);
  });
  ASSERT_TRUE(minimal.ok());
  ASSERT_EQ(minimal->size(), 1u);
  EXPECT_EQ(to_string(minimal->front()), "Rlx PodWW Rel Rfe Acq PodRR Rlx Fre");
  EXPECT_LT(asked, 81u);  // choices stronger than a minimal one are not asked about
}

TEST(Minimal, OrdersThatAreSaidStay) {
  const auto everything = [](const LitmusTest&) { return true; };
  base::Result<std::vector<Cycle>> minimal = minimally_forbidden(*cycle_named("MP+rel+acq"), {}, everything);
  ASSERT_TRUE(minimal.ok());
  ASSERT_EQ(minimal->size(), 1u);
  EXPECT_EQ(to_string(minimal->front()), "Rlx PodWW Rel Rfe Acq PodRR Rlx Fre");
  EXPECT_TRUE(minimally_forbidden(*cycle_named("MP"), {}, [](const LitmusTest&) { return false; })->empty());
}

struct SuiteSize {
  const char* name;
  std::size_t least;
  litmus::Arch arch;
  litmus::Dialect dialect;
};

// Suites of a dialect print in it and read back.
TEST(Suites, TestsDifferAndPrintInTheirDialects) {
  const SuiteSize kSizes[] = {
      {"opencl", 20, litmus::Arch::opencl, litmus::Dialect::opencl},
      {"opencl-scoped", 300, litmus::Arch::opencl, litmus::Dialect::opencl},
      {"ptx-scoped", 1'000, litmus::Arch::ptx, litmus::Dialect::ptx},
      {"vulkan-scoped", 500, litmus::Arch::vulkan, litmus::Dialect::vulkan},
  };
  for (const SuiteSize& expected : kSizes) {
    const Suite* suite = suite_named(expected.name);
    ASSERT_NE(suite, nullptr);
    std::set<base::Hash128> hashes;
    std::set<std::string> names;
    for (const LitmusTest& test : tests_of(*suite)) {
      EXPECT_EQ(test.arch, expected.arch);
      EXPECT_TRUE(hashes.insert(canonical_hash(test)).second) << test.name;
      EXPECT_TRUE(names.insert(test.name).second) << test.name;
      base::Result<std::string> text = litmus::print(test, expected.dialect);
      ASSERT_TRUE(text.ok()) << base::render(text.errors());
      EXPECT_EQ(tests::read_one(*text), test) << *text;
    }
    EXPECT_GE(names.size(), expected.least) << expected.name;
  }
  EXPECT_EQ(tests_of(*suite_named("mc-mutants")).size(), 52u);
  EXPECT_EQ(suite_named("nothing"), nullptr);
}

}  // namespace
}  // namespace weakspot::gen::mutate_test
