// SPDX-License-Identifier: MIT
// Barriers that no run needed: R1. Each is confirmed by runs without it. Then it is tried which of them can be removed
// together: of two barriers in a row, one may be redundant, but not both.
#pragma once

#include <functional>
#include <vector>

#include "race/report.h"
#include "race_jit/search/barrier_trials.h"

namespace weakspot::race_jit {

// The runs in which no barrier of the list was needed.
struct RunEvidence {
  std::uint64_t runs = 0;
  std::uint64_t branches = 0, branches_reached = 0;  // in a search; 0 if there was none
};

// A barrier of the source. Several instructions may stand for one: a template, a function inlined twice.
struct UnneededBarrier {
  std::vector<race::SiteId> sites;
  std::uint64_t instances = 0, threads = 0;
};

// Finds the barriers that can be removed together, by trying: `may_go` tells whether a set of them, by number, can be
// removed at once. Each can be removed alone. Returns for each barrier those that can be removed with it and those that
// cannot.
struct Company {
  std::vector<std::size_t> together, instead;
};
std::vector<Company> keep_company(std::size_t count,
                                  const std::function<bool(const std::vector<std::size_t>&)>& may_go);

std::vector<race::Finding> redundant_barriers(const Machine& device, BarrierTrials& trials, const RunEvidence& evidence,
                                              double seconds);

}  // namespace weakspot::race_jit
