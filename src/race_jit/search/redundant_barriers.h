// Barriers that no run needed: R1. Each is confirmed by runs without it, and then it is tried which of them can go
// together, because of two barriers in a row either may go and not both.
#pragma once

#include <functional>
#include <vector>

#include "race/report.h"
#include "race_jit/search/barrier_trials.h"

namespace weakspot::race_jit {

// The runs in which nothing needed them.
struct RunEvidence {
  std::uint64_t runs = 0;
  std::uint64_t branches = 0, branches_reached = 0;  // of a search; 0 if there was none
};

// A barrier of the source. Several instructions may stand for one: a template, a function inlined twice.
struct UnneededBarrier {
  std::vector<race::SiteId> sites;
  std::uint64_t instances = 0, threads = 0;
};

// What can go with what, by trying: `may_go` tells of barriers, by their numbers, whether they can go all at once.
// Each is known to be able to go alone. Gives, for each, those that can go with it and those that cannot.
struct Company {
  std::vector<std::size_t> together, instead;
};
std::vector<Company> keep_company(std::size_t count,
                                  const std::function<bool(const std::vector<std::size_t>&)>& may_go);

std::vector<race::Finding> redundant_barriers(const Machine& device, BarrierTrials& trials, const RunEvidence& evidence,
                                              double seconds);

}  // namespace weakspot::race_jit
