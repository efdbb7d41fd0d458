// SPDX-License-Identifier: MIT
#include "questions/model_filter.h"

#include <algorithm>

#include "model/foreign_words.h"
#include "model/library.h"
#include "questions/expected_outcomes.h"

namespace weakspot::questions {
namespace {

base::Status load_all(const std::vector<std::string>& names, std::vector<model::Model>& models) {
  for (const std::string& name : names) {
    base::Result<model::Model> model = model::load_model(name);
    if (!model) return model.errors();
    models.push_back(std::move(*model));
  }
  return base::ok_status();
}

}  // namespace

model::Verdict::Reach reach(const model::Model& model, const litmus::LitmusTest& test, const std::atomic<bool>* stop) {
  if (model::foreign_word(model, test)) return model::Verdict::Reach::unknown;
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits.time = std::chrono::seconds(10);
  options.limits.memory = LimitsPerTest{}.memory;
  options.limits.stop = stop;
  return model::judge(test, model, options).reach;
}

bool forbids(const model::Model& model, const litmus::LitmusTest& test, const std::atomic<bool>* stop) {
  return reach(model, test, stop) == model::Verdict::Reach::forbidden;
}

base::Result<ModelFilter> ModelFilter::load(const ModelFilterRequest& request) {
  ModelFilter filter;
  filter.stop_ = request.stop;
  if (base::Status loaded = load_all(request.forbidden_by, filter.forbidding_); !loaded) return loaded.errors();
  if (base::Status loaded = load_all(request.allowed_by, filter.allowing_); !loaded) return loaded.errors();
  return filter;
}

bool ModelFilter::keeps(const litmus::LitmusTest& test) const {
  auto says = [&](model::Verdict::Reach wanted) {
    return [this, &test, wanted](const model::Model& model) { return reach(model, test, stop_) == wanted; };
  };
  using model::Verdict;
  return std::all_of(forbidding_.begin(), forbidding_.end(), says(Verdict::Reach::forbidden)) &&
         std::all_of(allowing_.begin(), allowing_.end(), says(Verdict::Reach::allowed));
}

}  // namespace weakspot::questions
