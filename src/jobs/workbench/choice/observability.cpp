// SPDX-License-Identifier: MIT
#include "workbench/observability.h"

#include <fmt/format.h>

#include "desk/judging.h"
#include "model/judge.h"
#include "model/library.h"
#include "workbench/ending.h"

namespace weakspot::workbench {
namespace {

constexpr auto kTimeToTell = std::chrono::seconds(5);

}  // namespace

std::string Observability::model_for(const litmus::LitmusTest& test) const {
  return desk::judging_model(test, &platform_, "");
}

base::Result<std::optional<std::string>> Observability::why_not(const litmus::LitmusTest& test) {
  const std::string name = model_for(test);
  auto model = models_.find(name);
  if (model == models_.end()) {
    base::Result<model::Model> loaded = model::load_model(name);
    if (!loaded) return loaded.errors();
    model = models_.emplace(name, *std::move(loaded)).first;
  }
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits.time = kTimeToTell;
  options.limits.memory = desk::JudgingLimits{}.memory;
  options.limits.stop = stop_;
  const model::Verdict verdict = model::judge(desk::judged_form(test, &platform_, name), model->second, options);
  if (is_stopped(stop_)) return interrupted();
  if (verdict.reach != model::Verdict::Reach::forbidden) return std::optional<std::string>();
  return std::optional(fmt::format("cannot be seen on this device: {} forbids it", name));
}

}  // namespace weakspot::workbench
