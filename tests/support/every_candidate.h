// SPDX-License-Identifier: MIT
// Evaluates a model on every candidate and never gives up a partial one: the slow way through the judge's own parts to
// the outcomes that a model allows. For property tests.
#pragma once

#include "model/cat_model.h"
#include "model/evaluate/evaluator.h"
#include "model/execution/enumerate.h"

namespace weakspot::tests {

class EveryCandidate : public model::CandidateVisitor {
 public:
  // With `orders_one_by_one` each order of a `with` is tried as well, instead of searched for.
  EveryCandidate(const litmus::LitmusTest& test, const model::Model& model, bool orders_one_by_one = false)
      : evaluator_(model) {
    if (orders_one_by_one) evaluator_.try_all_orders();
    model::enumerate(test, {.partial_coherence = model.partial_coherence()}, *this);
  }

  bool frame(const model::Frame& frame) override {
    evaluator_.begin(frame);
    return true;
  }
  bool cut(const model::Relation&, const model::Relation&) override { return false; }
  bool candidate(const model::Candidate& candidate, std::span<const litmus::Outcome> finals) override {
    if (!evaluator_.allows(candidate)) return true;
    ++executions;
    outcomes.insert(finals.begin(), finals.end());
    return true;
  }

  litmus::OutcomeSet outcomes;
  std::uint64_t executions = 0;

 private:
  model::Evaluator evaluator_;
};

}  // namespace weakspot::tests
