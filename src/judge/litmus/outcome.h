// SPDX-License-Identifier: MIT
// Final states, as runs and models report them: values of the observed items, sets of them, and counts.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "litmus/value.h"

namespace weakspot::litmus {

// The values of a test's observed items, in the order of LitmusTest::observed().
using Outcome = std::vector<Value>;

using OutcomeSet = std::set<Outcome>;

// Counts of each outcome. Every count is kept: the unexpected outcome is the interesting one.
class Histogram {
 public:
  void add(const Outcome& outcome, std::uint64_t count = 1);
  void merge(const Histogram& other);

  std::uint64_t count(const Outcome& outcome) const;
  std::uint64_t total() const { return total_; }
  const std::map<Outcome, std::uint64_t>& counts() const { return counts_; }
  OutcomeSet outcomes() const;

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  std::map<Outcome, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace weakspot::litmus
