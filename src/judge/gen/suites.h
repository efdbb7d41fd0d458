// SPDX-License-Identifier: MIT
// Collections of tests, each made by a rule.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gen/mutate.h"
#include "litmus/test.h"

namespace weakspot::gen {

// The tests of MC Mutants (ASPLOS 2023): 20 that SC-per-location or release-acquire-SC-per-location forbids, and their
// 32 mutants, which are allowed. Relaxed accesses at device scope, every thread in a workgroup of its own.
struct McMutants {
  std::vector<LitmusTest> conformance;
  std::vector<LitmusTest> mutants;
};
McMutants mc_mutants_suite();

// Kirkham et al., OOPSLA 2020, section 6: six tests whose orders cannot be weakened; the same tests weakened by six
// wrappers of the atomic functions (i0 to i5); coherence of one location; multi-copy atomicity.
void make_opencl20(const std::function<bool(LitmusTest)>& found);
void make_opencl20_mutants(const std::function<bool(LitmusTest)>& found);
void make_sc_per_loc(const std::function<bool(LitmusTest)>& found);
void make_iriw(const std::function<bool(LitmusTest)>& found);

struct Suite {
  std::string_view name;
  std::string_view sentence;
  // Calls `found` with each test until it returns false.
  void (*make)(const std::function<bool(LitmusTest)>& found);
};

std::span<const Suite> suites();
const Suite* suite_named(std::string_view name);
std::vector<LitmusTest> tests_of(const Suite& suite);

}  // namespace weakspot::gen
