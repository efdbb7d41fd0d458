// SPDX-License-Identifier: MIT
#include <algorithm>

#include "confirm/confirm.h"

namespace weakspot::confirm {
namespace {

bool is_repaired(const FormRuns& form) {
  return form.form.kind == FormKind::repaired || form.form.kind == FormKind::repaired_delayed;
}

// The outcomes of the forms for which `which` holds.
template <typename Which>
std::map<Outcome, std::uint64_t> outcomes_of(const Confirmation& confirmation, Which which) {
  std::map<Outcome, std::uint64_t> all;
  for (const FormRuns& form : confirmation.forms) {
    if (!which(form)) continue;
    for (const auto& [outcome, count] : form.outcomes) all[outcome] += count;
  }
  return all;
}

const Outcome& most_common(const std::map<Outcome, std::uint64_t>& outcomes) {
  return std::max_element(outcomes.begin(), outcomes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

bool differs(const Confirmation& confirmation, const Outcome& outcome) {
  return confirmation.expected && outcome != *confirmation.expected;
}

// What a delay changes depends on time, whatever the kernel does. That it is this race and no other mistake is known
// only if the kernel has one result once it is repaired, with the same delays.
void judge(Confirmation& confirmation) {
  const auto decide = [&](Verdict verdict, Because because) {
    confirmation.verdict = verdict;
    confirmation.because = because;
  };
  if (confirmation.subject.same_value) return decide(Verdict::same, Because::same_value);
  const auto repaired = outcomes_of(confirmation, is_repaired);
  const auto unrepaired = outcomes_of(confirmation, [](const FormRuns& form) { return !is_repaired(form); });
  const auto original =
      outcomes_of(confirmation, [](const FormRuns& form) { return form.form.kind == FormKind::original; });
  if (unrepaired.empty()) return decide(Verdict::unknown, Because::not_run);
  const auto& compared = repaired.empty() ? original : repaired;
  if (compared.empty()) return decide(Verdict::unknown, Because::not_run);
  const Outcome expected = most_common(compared);
  if (compared.size() > 1) {
    confirmation.expected = expected;
    if (!repaired.empty()) return decide(Verdict::unknown, Because::repair_varies);
    if (confirmation.subject.only_reason) return decide(Verdict::confirmed, Because::varies);
    return decide(Verdict::unknown, Because::original_varies);
  }
  if (expected.kind != OutcomeKind::memory) return decide(Verdict::unknown, Because::no_result);
  confirmation.expected = expected;
  const bool any = std::any_of(unrepaired.begin(), unrepaired.end(),
                               [&](const auto& one) { return differs(confirmation, one.first); });
  if (!any) {
    // A form without a run might have differed.
    const bool all_ran = std::all_of(confirmation.forms.begin(), confirmation.forms.end(),
                                     [](const FormRuns& form) { return form.runs() > 0; });
    return all_ran ? decide(Verdict::same, Because::all_same) : decide(Verdict::unknown, Because::not_run);
  }
  decide(Verdict::confirmed, repaired.empty() ? Because::differs_delayed : Because::differs_unrepaired);
}

}  // namespace weakspot::confirm
