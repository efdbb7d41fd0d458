// SPDX-License-Identifier: MIT
// The published table, written by hand: 20 conformance tests and 32 mutants, with their conditions.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "gen/identity.h"
#include "gen/suites.h"
#include "litmus/normalize.h"
#include "litmus/text.h"
#include "support/program_of.h"

namespace weakspot::gen::mc_mutants_test {
namespace {

using tests::program_of;

// The threads' instructions, joined by "; " and " | ", and the condition.
struct Row {
  const char* name;
  const char* program;
  const char* condition;
};

const Row kConformance[] = {
    {"CoRR", "st x, 1 | ld r0, x; ld r1, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"CoRR-rmw", "atom.exch _, x, 1 | ld r0, x; atom.add r1, x, 0", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"CoRW", "ld r0, x; st x, 1 | st x, 2", "exists (0:r0=2 /\\ x=2)"},
    {"CoRW-rmw", "ld r0, x; st x, 1 | atom.exch _, x, 2", "exists (0:r0=2 /\\ x=2)"},
    {"CoWR", "st x, 1; ld r0, x | st x, 2", "exists (0:r0=2 /\\ x=1)"},
    {"CoWR-rmw", "st x, 1; ld r0, x | atom.exch _, x, 2", "exists (0:r0=2 /\\ x=1)"},
    {"CoWW", "st x, 1; st x, 2 | st x, 3 | ld r0, x; ld r1, x", "exists (2:r0=2 /\\ 2:r1=3 /\\ x=1)"},
    {"CoWW-rmw", "atom.exch _, x, 1; st x, 2 | atom.exch _, x, 3 | ld r0, x; atom.add r1, x, 0",
     "exists (2:r0=2 /\\ 2:r1=3 /\\ x=1)"},
    {"MP-CO", "st x, 1; st x, 2 | ld r0, x; ld r1, x", R"(exists (1:r0!=0 /\ 1:r1=0 \/ 1:r0=2 /\ 1:r1!=2 \/ x!=2))"},
    {"LB-CO", "ld r0, x; st x, 1 | ld r0, x; st x, 2",
     R"(exists (0:r0!=0 /\ x!=1 \/ 0:r0=1 \/ 1:r0!=0 /\ x!=2 \/ 1:r0=2 \/ x=0))"},
    {"SB-CO", "st x, 1; ld r0, x | st x, 2; ld r0, x",
     R"(exists (0:r0!=1 /\ x!=2 \/ 0:r0=0 \/ 1:r0!=2 /\ x!=1 \/ 1:r0=0 \/ x=0))"},
    {"S-CO", "st x, 2; st x, 1 | ld r0, x; st x, 3", R"(exists (1:r0=1 /\ x!=3 \/ 1:r0=3 \/ x=0 \/ x=2))"},
    {"R-CO", "st x, 1; st x, 2 | st x, 3; ld r0, x", R"(exists (1:r0!=3 /\ x!=2 \/ 1:r0=0 \/ x=0 \/ x=1))"},
    {"2+2W-CO", "st x, 2; st x, 1 | st x, 3; st x, 4", R"(exists (x=0 \/ x=2 \/ x=3))"},
    {"MP-relacq", "st x, 1; fence.rel; st y, 1 | ld r0, y; fence.acq; ld r1, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"LB-relacq", "ld r0, y; fence.rel; st x, 1 | ld r0, x; fence.acq; st y, 1", "exists (0:r0=1 /\\ 1:r0=1)"},
    {"S-relacq", "st x, 2; fence.rel; st y, 1 | ld r0, y; fence.acq; st x, 1", "exists (1:r0=1 /\\ x=2)"},
    {"R-rmw", "st x, 1; fence.rel; atom.exch _, y, 1 | atom.exch _, y, 2; fence.acq; ld r0, x",
     "exists (1:r0=0 /\\ y=2)"},
    {"SB-rmw", "st x, 1; fence.rel; atom.add r0, y, 0 | atom.exch _, y, 1; fence.acq; ld r0, x",
     "exists (0:r0=0 /\\ 1:r0=0)"},
    {"2+2W-rmw", "st x, 2; fence.rel; atom.exch _, y, 1 | atom.exch _, y, 2; fence.acq; st x, 1",
     "exists (x=2 /\\ y=2)"},
};

const Row kMutants[] = {
    {"CoRR-reversed", "st x, 1 | ld r1, x; ld r0, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"CoRR-rmw-reversed", "atom.exch _, x, 1 | atom.add r1, x, 0; ld r0, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"CoRW-reversed", "st x, 1; ld r0, x | st x, 2", "exists (0:r0=2 /\\ x=2)"},
    {"CoRW-rmw-reversed", "st x, 1; ld r0, x | atom.exch _, x, 2", "exists (0:r0=2 /\\ x=2)"},
    {"CoWR-reversed", "ld r0, x; st x, 1 | st x, 2", "exists (0:r0=0 /\\ x=1)"},
    {"CoWR-rmw-reversed", "ld r0, x; st x, 1 | atom.exch _, x, 2", "exists (0:r0=0 /\\ x=1)"},
    {"CoWW-reversed.P0", "st x, 2; st x, 1 | st x, 3 | ld r0, x; ld r1, x", "exists (2:r0=2 /\\ 2:r1=3 /\\ x=1)"},
    {"CoWW-rmw-reversed.P0", "st x, 2; atom.exch _, x, 1 | atom.exch _, x, 3 | ld r0, x; atom.add r1, x, 0",
     "exists (2:r0=2 /\\ 2:r1=3 /\\ x=1)"},
    {"MP-CO-split", "st x, 1; st y, 2 | ld r0, y; ld r1, x", "exists (1:r0=2 /\\ 1:r1=0)"},
    {"LB-CO-split", "ld r0, y; st x, 1 | ld r0, x; st y, 2", "exists (0:r0=2 /\\ 1:r0=1)"},
    {"SB-CO-split", "st x, 1; ld r0, y | st y, 2; ld r0, x", "exists (0:r0=0 /\\ 1:r0=0)"},
    {"S-CO-split", "st x, 2; st y, 1 | ld r0, y; st x, 3", "exists (1:r0=1 /\\ x=2)"},
    {"R-CO-split", "st x, 1; st y, 2 | st y, 3; ld r0, x", "exists (1:r0=0 /\\ y=3)"},
    {"2+2W-CO-split", "st x, 2; st y, 1 | st y, 3; st x, 4", "exists (x=2 /\\ y=3)"},
    {"MP-relacq-nofence", "st x, 1; st y, 1 | ld r0, y; ld r1, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"MP-relacq-nofence.P0", "st x, 1; st y, 1 | ld r0, y; fence.acq; ld r1, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"MP-relacq-nofence.P1", "st x, 1; fence.rel; st y, 1 | ld r0, y; ld r1, x", "exists (1:r0=1 /\\ 1:r1=0)"},
    {"LB-relacq-nofence", "ld r0, y; st x, 1 | ld r0, x; st y, 1", "exists (0:r0=1 /\\ 1:r0=1)"},
    {"LB-relacq-nofence.P0", "ld r0, y; st x, 1 | ld r0, x; fence.acq; st y, 1", "exists (0:r0=1 /\\ 1:r0=1)"},
    {"LB-relacq-nofence.P1", "ld r0, y; fence.rel; st x, 1 | ld r0, x; st y, 1", "exists (0:r0=1 /\\ 1:r0=1)"},
    {"S-relacq-nofence", "st x, 2; st y, 1 | ld r0, y; st x, 1", "exists (1:r0=1 /\\ x=2)"},
    {"S-relacq-nofence.P0", "st x, 2; st y, 1 | ld r0, y; fence.acq; st x, 1", "exists (1:r0=1 /\\ x=2)"},
    {"S-relacq-nofence.P1", "st x, 2; fence.rel; st y, 1 | ld r0, y; st x, 1", "exists (1:r0=1 /\\ x=2)"},
    {"R-rmw-nofence", "st x, 1; atom.exch _, y, 1 | atom.exch _, y, 2; ld r0, x", "exists (1:r0=0 /\\ y=2)"},
    {"R-rmw-nofence.P0", "st x, 1; atom.exch _, y, 1 | atom.exch _, y, 2; fence.acq; ld r0, x",
     "exists (1:r0=0 /\\ y=2)"},
    {"R-rmw-nofence.P1", "st x, 1; fence.rel; atom.exch _, y, 1 | atom.exch _, y, 2; ld r0, x",
     "exists (1:r0=0 /\\ y=2)"},
    {"SB-rmw-nofence", "st x, 1; atom.add r0, y, 0 | atom.exch _, y, 1; ld r0, x", "exists (0:r0=0 /\\ 1:r0=0)"},
    {"SB-rmw-nofence.P0", "st x, 1; atom.add r0, y, 0 | atom.exch _, y, 1; fence.acq; ld r0, x",
     "exists (0:r0=0 /\\ 1:r0=0)"},
    {"SB-rmw-nofence.P1", "st x, 1; fence.rel; atom.add r0, y, 0 | atom.exch _, y, 1; ld r0, x",
     "exists (0:r0=0 /\\ 1:r0=0)"},
    {"2+2W-rmw-nofence", "st x, 2; atom.exch _, y, 1 | atom.exch _, y, 2; st x, 1", "exists (x=2 /\\ y=2)"},
    {"2+2W-rmw-nofence.P0", "st x, 2; atom.exch _, y, 1 | atom.exch _, y, 2; fence.acq; st x, 1",
     "exists (x=2 /\\ y=2)"},
    {"2+2W-rmw-nofence.P1", "st x, 2; fence.rel; atom.exch _, y, 1 | atom.exch _, y, 2; st x, 1",
     "exists (x=2 /\\ y=2)"},
};

template <std::size_t N>
void expect_table(const std::vector<LitmusTest>& tests, const Row (&rows)[N]) {
  ASSERT_EQ(tests.size(), N);
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_EQ(tests[i].name, rows[i].name);
    EXPECT_EQ(program_of(tests[i]), rows[i].program) << rows[i].name;
    EXPECT_EQ(litmus::condition_line(tests[i]), rows[i].condition) << rows[i].name;
    EXPECT_EQ(tests[i].scopes, litmus::default_scope_tree(tests[i].threads.size())) << rows[i].name;
    LitmusTest normal = tests[i];
    litmus::normalize(normal);
    EXPECT_EQ(normal, tests[i]) << rows[i].name;
    EXPECT_TRUE(litmus::validate(tests[i]).empty()) << rows[i].name;
  }
}

TEST(McMutants, TheConformanceTests) { expect_table(mc_mutants_suite().conformance, kConformance); }

TEST(McMutants, TheMutants) { expect_table(mc_mutants_suite().mutants, kMutants); }

TEST(McMutants, MutantsSayWhereTheyComeFrom) {
  const McMutants suite = mc_mutants_suite();
  std::map<std::string, int> by_mutator;
  for (const LitmusTest& mutant : suite.mutants) {
    const auto mutator = info_of(mutant, "Mutator"), parent = info_of(mutant, "Parent"), edge = info_of(mutant, "Edge");
    ASSERT_TRUE(mutator && parent && edge) << mutant.name;
    EXPECT_TRUE(mutant.name.starts_with(*parent + "-")) << mutant.name;
    ++by_mutator[*mutator];
  }
  EXPECT_EQ(by_mutator,
            (std::map<std::string, int>{{"reversing po-loc", 8}, {"weakening po-loc", 6}, {"weakening sw", 18}}));
  EXPECT_EQ(info_of(suite.mutants[0], "Edge"), "P1: PosRR");
  EXPECT_EQ(info_of(suite.mutants[8], "Edge"), "P0: PosWW, P1: PosRR");
  EXPECT_EQ(info_of(suite.mutants[15], "Edge"), "P0: Fence.reldWW");
}

// Taking both fences from MP-relacq and splitting the location of MP-CO gives the same test twice, and so for LB and S:
// the paper counts them apart, because they stand for different mistakes. All others are different tests.
TEST(McMutants, WhichMutantsAreOneTest) {
  const McMutants suite = mc_mutants_suite();
  std::map<base::Hash128, std::string> seen;
  std::vector<std::string> twice;
  for (const auto* list : {&suite.conformance, &suite.mutants}) {
    for (const LitmusTest& test : *list) {
      const auto [entry, fresh] = seen.emplace(canonical_hash(test), test.name);
      if (!fresh) twice.push_back(entry->second + " = " + test.name);
    }
  }
  EXPECT_EQ(twice, (std::vector<std::string>{"MP-CO-split = MP-relacq-nofence", "LB-CO-split = LB-relacq-nofence",
                                             "S-CO-split = S-relacq-nofence"}));
}

}  // namespace
}  // namespace weakspot::gen::mc_mutants_test
