// SPDX-License-Identifier: MIT
#include "workbench/choice/observability.h"

#include <fmt/format.h>

#include "questions/expected_outcomes.h"
#include "workbench/ending.h"

namespace weakspot::workbench {
namespace {

constexpr auto kTimeToTell = std::chrono::seconds(5);

}  // namespace

std::string Observability::model_for(const litmus::LitmusTest& test) const {
  return questions::judging_model(test, &platform_, "");
}

base::Result<std::optional<std::string>> Observability::why_not(const litmus::LitmusTest& test) {
  const std::string name = model_for(test);
  const base::Result<model::BatchJudge*> judge = models_.get(name);
  if (!judge) return judge.errors();
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits.time = kTimeToTell;
  options.limits.memory = questions::LimitsPerTest{}.memory;
  options.limits.stop = stop_;
  const model::Verdict verdict = (*judge)->judge(questions::form_for_model(test, &platform_, name), options);
  if (is_stopped(stop_)) return interrupted();
  if (verdict.reach != model::Verdict::Reach::forbidden) return std::optional<std::string>();
  return std::optional(fmt::format("cannot be seen on this device: {} forbids it", name));
}

}  // namespace weakspot::workbench
