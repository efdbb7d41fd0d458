// SPDX-License-Identifier: MIT
#include "desk/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "desk/model_choice.h"
#include "desk/stop.h"
#include "litmus/dialect.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::desk {
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

base::Result<const model::Model*> Judging::load(const std::string& name) {
  auto found = models_.find(name);
  if (found == models_.end()) {
    base::Result<model::Model> loaded = model::load_model(name);
    if (!loaded) return loaded.errors();
    found = models_.emplace(name, *std::move(loaded)).first;
  }
  return &found->second;
}

JudgingLimits judging_limits(double seconds, const std::atomic<bool>* stop) {
  JudgingLimits limits;
  limits.seconds = std::clamp(seconds, 1.0, limits.seconds);
  limits.stop = stop;
  return limits;
}

// Questions that are answered at once leave their time to the others.
model::Limits Judging::next_limits(int parts) const {
  const double seconds = std::max(limits_.seconds - used_, 0.0) / std::max(parts, 1);
  model::Limits limits;
  limits.time = std::chrono::milliseconds(std::max<std::int64_t>(static_cast<std::int64_t>(seconds * 1000), 1));
  limits.memory = limits_.memory;
  limits.stop = limits_.stop;
  return limits;
}

stats::Reachable Judging::ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark) {
  model::JudgeOptions options;
  options.limits = next_limits(parts_--);
  model::Verdict verdict = model::judge(test, model, options);
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

std::string Judging::objection(const litmus::LitmusTest& test, const std::string& name, const model::Model& model) {
  if (!test.expectations.contains(name)) return {};
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits = next_limits(parts_--);
  const model::Verdict verdict = model::judge(test, model, options);
  used_ += verdict.seconds;
  return contradiction(test, name, verdict.reach).value_or("");
}

base::Result<stats::Expected> Judging::expected(const litmus::LitmusTest& original, const Platform* device) {
  const std::string name = judging_model(original, device, model_);
  const litmus::LitmusTest judged = judged_form(original, device, name);
  const std::string key =
      litmus::hash_of(original).hex() + name + (judged == original ? "" : litmus::hash_of(judged).hex());
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  const base::Result<const model::Model*> allows = load(name), sc = load("sc"), sequential = load(kWholeThreads);
  for (const auto* loaded : {&allows, &sc, &sequential}) {
    if (!loaded->ok()) return loaded->errors();
  }
  const litmus::LitmusTest test = without_filter(original);
  stats::Expected expected;
  expected.model = name;
  used_ = 0;
  parts_ = original.expectations.contains(name) ? 4 : 3;
  if (const auto word = model::foreign_word(**allows, original)) {
    problems_.push_back(base::error(fmt::format("{}: {}", original.name, word->why)));
    expected.remark = "not judged: " + word->why;
  } else {
    if (const std::string objected = objection(original, name, **allows); !objected.empty()) {
      problems_.push_back(base::error(objected));
      expected.contradicted = original.expectations.at(name);
      expected.remark = "the condition is not judged: " + objected.substr(original.name.size() + 2);
    }
    expected.allowed = ask(without_filter(judged), **allows, expected.remark);
  }
  expected.consistent = ask(test, **sc, expected.remark);
  expected.sequential = ask(test, **sequential, expected.remark);
  // An answer that the user cut short is none.
  if (is_stopped(limits_.stop)) return expected;
  return answers_.emplace(key, std::move(expected)).first->second;
}

}  // namespace weakspot::desk
