// SPDX-License-Identifier: MIT
// Judging random tests: the few that would take minutes are given up. For property tests.
#pragma once

#include "model/judge.h"
#include "support/too_large.h"

namespace weakspot::tests {

// Throws TooLarge if the verdict does not come within seconds; holds() then skips the test.
inline model::Verdict judge_soon(const litmus::LitmusTest& test, const model::Model& model,
                                 model::JudgeOptions options = {}) {
  options.limits.time = std::chrono::seconds(20);
  model::Verdict verdict = model::judge(test, model, options);
  if (!verdict.complete && verdict.seconds >= 20) throw TooLarge();
  return verdict;
}

}  // namespace weakspot::tests
