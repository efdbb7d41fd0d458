// SPDX-License-Identifier: MIT
#include "workbench/judging.h"

#include <fmt/format.h>

#include "litmus/dialect.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "workbench/model_choice.h"

namespace weakspot::workbench {
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

stats::Reachable Judging::ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark) const {
  model::JudgeOptions options;
  options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds_ * 1000));
  model::Verdict verdict = model::judge(test, model, options);
  stats::Reachable reachable{std::move(verdict.outcomes), verdict.complete};
  if (remark.empty()) remark = verdict.reason;
  // A test with a mistake in the model's eyes (a data race) may end in any way.
  if (!verdict.flags.empty()) {
    reachable.complete = false;
    remark = fmt::format("the model raises '{}': any outcome may be allowed", verdict.flags.front());
  }
  return reachable;
}

std::string Judging::objection(const litmus::LitmusTest& test, const std::string& name,
                               const model::Model& model) const {
  if (const auto word = model::foreign_word(model, test)) return fmt::format("{}: {}", test.name, word->why);
  if (!test.expectations.contains(name)) return {};
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds_ * 1000));
  return contradiction(test, name, model::judge(test, model, options).reach).value_or("");
}

base::Result<stats::Expected> Judging::expected(const litmus::LitmusTest& original, const backend::DeviceInfo* device) {
  const std::string name = judging_model(original, device, model_);
  const litmus::LitmusTest judged = judged_form(original, device, name);
  const std::string key = litmus::hash_of(original).hex() + name + (judged == original ? "" : device->id);
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  const base::Result<const model::Model*> allows = load(name), sc = load("sc"), sequential = load(kWholeThreads);
  for (const auto* loaded : {&allows, &sc, &sequential}) {
    if (!loaded->ok()) return loaded->errors();
  }
  const litmus::LitmusTest test = without_filter(original);
  stats::Expected expected;
  expected.model = name;
  const std::string objected = objection(original, name, **allows);
  if (objected.empty()) {
    expected.allowed = ask(without_filter(judged), **allows, expected.remark);
  } else {
    problems_.push_back(base::error(objected));
    expected.remark = "not judged: " + objected.substr(original.name.size() + 2);
  }
  expected.consistent = ask(test, **sc, expected.remark);
  expected.sequential = ask(test, **sequential, expected.remark);
  return answers_.emplace(key, std::move(expected)).first->second;
}

}  // namespace weakspot::workbench
