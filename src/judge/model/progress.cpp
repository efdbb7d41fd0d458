// SPDX-License-Identifier: MIT
#include "model/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/names.h"
#include "base/wording.h"
#include "litmus/instruction.h"
#include "model/cat_model.h"
#include "model/progress/interleaving.h"
#include "model/progress/recurrence.h"
#include "model/progress/stuck.h"

namespace weakspot::model {
namespace {

using Answer = ProgressVerdict::Answer;

constexpr base::Named<Answer> kAnswers[] = {
    {"ends", Answer::ends}, {"endless", Answer::endless}, {"unknown", Answer::unknown}};

bool is_asynchronous(const litmus::LitmusTest& test) {
  return std::any_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(), litmus::is_asynchronous);
  });
}

void decide(const litmus::LitmusTest& test, const Model& model, Progress progress, const Limits& limits,
            Allowance& allowance, ProgressVerdict& verdict) {
  auto endless = [&](std::vector<std::string> story) {
    verdict.answer = Answer::endless;
    verdict.story = std::move(story);
  };
  const bool interleaved = model.properties().coherent && is_interleaved(test);
  if (interleaved) {
    InterleavingResult runs = find_endless_run(test, progress, allowance);
    if (runs.story) return endless(*std::move(runs.story));
    if (runs.complete) {
      verdict.answer = Answer::ends;
      return;
    }
  }
  StuckResult stuck = find_stuck(test, model, progress, limits, allowance);
  if (stuck.story) return endless(*std::move(stuck.story));
  if (stuck.complete && !stuck.bounded) {
    verdict.answer = Answer::ends;
    return;
  }
  if (stuck.bounded && !interleaved) {
    InterleavingResult runs = find_endless_run(test, progress, allowance);
    if (runs.story) return endless(*std::move(runs.story));
    if (stuck.complete && model.properties().coherent && is_coherent(test) &&
        nothing_recurs(test, progress, allowance)) {
      verdict.answer = Answer::ends;
      return;
    }
  }
  verdict.reason = stuck.reason;
  if (verdict.reason.empty()) verdict.reason = fmt::format("loops followed {} times", limits.unroll);
}

}  // namespace

std::string_view to_string(Answer answer) { return base::name_of(kAnswers, answer); }

ProgressVerdict ends(const litmus::LitmusTest& test, const Model& model, Progress progress, const Limits& limits) {
  const auto start = Allowance::Clock::now();
  Allowance allowance(limits, start);
  ProgressVerdict verdict;
  if (is_asynchronous(test)) {
    verdict.reason = "whether asynchronous operations end is not modelled";
    return verdict;
  }
  decide(test, model, progress, limits, allowance, verdict);
  if (!verdict.reason.empty()) verdict.reason = base::worded(std::move(verdict.reason));
  verdict.seconds = std::chrono::duration<double>(Allowance::Clock::now() - start).count();
  return verdict;
}

}  // namespace weakspot::model
