// SPDX-License-Identifier: MIT
#include "questions/expected_outcomes.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "model/foreign_words.h"
#include "questions/model_choice.h"
#include "questions/stop.h"

namespace weakspot::questions {
namespace {

// Tells the outcomes that need threads to overlap from those that do not.
constexpr const char* kWholeThreads = "whole-threads";

// A filter hides final states from a test's question. A device shows them anyway, so the models are asked for all.
litmus::LitmusTest without_filter(litmus::LitmusTest test) {
  if (!test.filter) return test;
  const std::vector<litmus::Observable> observed = test.observed();
  test.filter.reset();
  test.also_observed = observed;
  return test;
}

}  // namespace

LimitsPerTest limits_beside_job(double seconds, const std::atomic<bool>* stop) {
  LimitsPerTest limits;
  limits.seconds = std::clamp(seconds, 1.0, limits.seconds);
  limits.stop = stop;
  return limits;
}

// Questions that are answered at once leave their time to the others.
model::Limits ExpectedOutcomes::next_limits(int parts) const {
  const double seconds = std::max(limits_.seconds - used_, 0.0) / std::max(parts, 1);
  model::Limits limits;
  limits.time = std::chrono::milliseconds(std::max<std::int64_t>(static_cast<std::int64_t>(seconds * 1000), 1));
  limits.memory = limits_.memory;
  limits.stop = limits_.stop;
  return limits;
}

stats::Reachable ExpectedOutcomes::ask(const litmus::LitmusTest& test, model::BatchJudge& judge, std::string& remark) {
  model::JudgeOptions options;
  options.limits = next_limits(parts_--);
  model::Verdict verdict = judge.judge(test, options);
  used_ += verdict.seconds;
  stats::Reachable reachable{std::move(verdict.outcomes), verdict.complete};
  if (remark.empty()) remark = verdict.reason;
  // A test with a mistake in the model's eyes (a data race) may end in any way.
  if (!verdict.flags.empty()) {
    reachable.complete = false;
    remark = fmt::format("the model raises '{}': any outcome may be allowed", verdict.flags.front());
  }
  return reachable;
}

std::optional<Contradiction> ExpectedOutcomes::objection(const litmus::LitmusTest& test, const std::string& name,
                                                         model::BatchJudge& judge) {
  if (!test.expectations.contains(name)) return std::nullopt;
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits = next_limits(parts_--);
  const model::Verdict verdict = judge.judge(test, options);
  used_ += verdict.seconds;
  return contradiction(test, name, verdict.reach);
}

base::Result<stats::Expected> ExpectedOutcomes::of(const litmus::LitmusTest& original, const Platform* device) {
  const std::string name = judging_model(original, device, model_);
  const litmus::LitmusTest judged = form_for_model(original, device, name);
  const std::string key =
      litmus::hash_of(original).hex() + name + (judged == original ? "" : litmus::hash_of(judged).hex());
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  const base::Result<model::BatchJudge*> allows = models_.get(name), sc = models_.get("sc"),
                                         sequential = models_.get(kWholeThreads);
  for (const auto* loaded : {&allows, &sc, &sequential}) {
    if (!loaded->ok()) return loaded->errors();
  }
  const litmus::LitmusTest test = without_filter(original);
  stats::Expected expected;
  expected.model = name;
  used_ = 0;
  parts_ = original.expectations.contains(name) ? 4 : 3;
  if (const auto word = model::foreign_word((*allows)->model(), original)) {
    problems_.push_back(base::error(fmt::format("{}: {}", original.name, word->why())));
    expected.remark = "not judged: " + word->why();
  } else {
    if (const std::optional<Contradiction> objected = objection(original, name, **allows)) {
      problems_.push_back(base::error(objected->text()));
      expected.contradicted = objected->expected;
      expected.remark = "the condition is not judged: " + objected->without_test();
    }
    expected.allowed = ask(without_filter(judged), **allows, expected.remark);
  }
  expected.consistent = ask(test, **sc, expected.remark);
  expected.sequential = ask(test, **sequential, expected.remark);
  // An answer that the user cut short is none.
  if (is_stopped(limits_.stop)) return expected;
  return answers_.emplace(key, std::move(expected)).first->second;
}

}  // namespace weakspot::questions
