// SPDX-License-Identifier: MIT
// Judging random tests: the few that would take minutes are given up. For property tests.
#pragma once

#include "model/judge.h"
#include "support/too_large.h"

namespace weakspot::tests {

// Throws TooLarge if a verdict needs more candidate executions than a second allows; holds() then draws another test.
// Candidates are counted rather than seconds, so that a seed draws the same tests on every machine; the time ends the
// few whose candidates are slow themselves.
inline model::Verdict judge_soon(const litmus::LitmusTest& test, const model::Model& model,
                                 model::JudgeOptions options = {}) {
  constexpr std::uint64_t kMostCandidates = 400'000;
  constexpr std::chrono::seconds kLongest(20);
  options.limits.candidates = kMostCandidates;
  options.limits.time = kLongest;
  model::Verdict verdict = model::judge(test, model, options);
  const bool gave_up = verdict.candidates >= kMostCandidates || verdict.seconds >= kLongest.count();
  if (!verdict.complete && gave_up) throw TooLarge();
  return verdict;
}

}  // namespace weakspot::tests
