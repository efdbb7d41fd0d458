// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gen/suites.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "litmus/test.h"

namespace weakspot::gen::opencl20_test {
namespace {

std::vector<LitmusTest> tests_named(std::string_view name) { return tests_of(*suite_named(name)); }

// Counts the loads and stores of each order.
std::map<std::string, int> orders(const std::vector<LitmusTest>& tests) {
  std::map<std::string, int> counts;
  for (const LitmusTest& test : tests) {
    for (const litmus::Thread& thread : test.threads) {
      for (const litmus::Instruction& instruction : thread.instructions) {
        const bool load = std::holds_alternative<litmus::Load>(instruction.operation);
        ++counts[(load ? "ld." : "st.") + std::string(to_string(litmus::access_of(instruction)->order))];
      }
    }
  }
  return counts;
}

TEST(Opencl20, SixTestsWithMinimalOrders) {
  const std::vector<LitmusTest> tests = tests_named("opencl20");
  ASSERT_EQ(6u, tests.size());
  // Nine seq_cst stores and three loads, as published; LB needs one release and one acquire only.
  const std::map<std::string, int> expected = {
      {"st.rlx", 4}, {"st.rel", 3}, {"st.sc", 9}, {"ld.rlx", 2}, {"ld.acq", 3}, {"ld.sc", 3},
  };
  EXPECT_EQ(expected, orders(tests));
}

TEST(Opencl20, EveryWrapperChangesSomeTests) {
  std::map<std::string, std::set<std::string>> parents;
  for (const LitmusTest& mutant : tests_named("opencl20-mutants")) {
    parents[*info_of(mutant, "Mutator")].insert(*info_of(mutant, "Parent"));
    EXPECT_TRUE(litmus::validate(mutant).empty()) << mutant.name;
  }
  const std::map<std::string, std::set<std::string>> expected = {
      {"i0", {"MP+rel+acq", "LB+acq+rel", "S+rel+acq"}},
      {"i1", {"SB+sc", "R+sc"}},
      {"i2", {"SB+sc", "R+sc"}},
      {"i3", {"SB+sc", "R+sc", "2+2W+sc"}},
      {"i4", {"SB+sc", "R+sc", "2+2W+sc"}},
      {"i5", {"MP+rel+acq", "LB+acq+rel", "S+rel+acq"}},
  };
  EXPECT_EQ(expected, parents);
}

TEST(Opencl20, CoherenceAndMultiCopyAtomicity) {
  EXPECT_EQ(5u, tests_named("sc-per-loc").size());
  EXPECT_EQ(3u, tests_named("iriw").size());
  for (const char* name : {"sc-per-loc", "iriw", "opencl20"}) {
    for (const LitmusTest& test : tests_named(name)) {
      EXPECT_EQ(litmus::Arch::opencl, test.arch);
      EXPECT_TRUE(litmus::validate(test).empty()) << test.name;
    }
  }
}

}  // namespace
}  // namespace weakspot::gen::opencl20_test
