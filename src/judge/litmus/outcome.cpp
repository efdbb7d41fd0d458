// SPDX-License-Identifier: MIT
#include "litmus/outcome.h"

namespace weakspot::litmus {

void Histogram::add(const Outcome& outcome, std::uint64_t count) {
  if (count == 0) return;
  counts_[outcome] += count;
  total_ += count;
}

void Histogram::merge(const Histogram& other) {
  for (const auto& [outcome, count] : other.counts_) add(outcome, count);
}

std::uint64_t Histogram::count(const Outcome& outcome) const {
  auto found = counts_.find(outcome);
  return found == counts_.end() ? 0 : found->second;
}

OutcomeSet Histogram::outcomes() const {
  OutcomeSet outcomes;
  for (const auto& [outcome, count] : counts_) outcomes.insert(outcome);
  return outcomes;
}

}  // namespace weakspot::litmus
