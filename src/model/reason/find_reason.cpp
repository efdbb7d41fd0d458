// SPDX-License-Identifier: MIT
#include <algorithm>

#include "model/reason.h"

namespace weakspot::model {

Reason find_reason(const Witness& witness, const Model& model, const Limits& limits) {
  Allowance allowance(limits);
  Evaluator evaluator(model, &allowance);
  evaluator.begin(witness.frame);
  const Evaluator::Failure failure = evaluator.explain(witness.candidate());
  Reason reason;
  if (allowance.used_up()) {
    reason.unfinished = allowance.reason();
    return reason;
  }
  const Model::Check& check = model.checks()[failure.check];
  reason.check = check.name;
  reason.kind = check.kind;
  reason.negated = check.negated;
  reason.events = failure.events;
  for (std::size_t i = 0; i < failure.events.size(); ++i) {
    const bool last = i + 1 == failure.events.size();
    if (last && check.kind == Model::Check::Kind::empty) break;
    ReasonStep step;
    step.from = failure.events[i];
    step.to = failure.events[last ? 0 : i + 1];
    const std::vector<std::string> names = evaluator.names_of(step.from, step.to);
    step.relation = names.empty() ? "related" : names.front();
    reason.steps.push_back(std::move(step));
  }
  if (allowance.used_up()) reason.unfinished = allowance.reason();
  return reason;
}

}  // namespace weakspot::model
