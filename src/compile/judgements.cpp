// SPDX-License-Identifier: MIT
#include "compile/judgements.h"

#include "base/check.h"
#include "litmus/dialect.h"
#include "model/foreign_words.h"
#include "model/library.h"

namespace weakspot::compile {

base::Status Judgements::load(const std::string& model) {
  if (models_.contains(model)) return base::ok_status();
  base::Result<model::Model> loaded = model::load_model(model);
  if (!loaded) return loaded.errors();
  models_.emplace(model, std::move(*loaded));
  return base::ok_status();
}

Judgement Judgements::judge(const litmus::LitmusTest& test, const std::string& model) {
  const Key key{model, litmus::hash_of(test)};
  std::unique_ptr<model::BatchJudge> judge;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    auto& idle = idle_[model];
    if (!idle.empty()) {
      judge = std::move(idle.back());
      idle.pop_back();
    }
  }
  const auto known = models_.find(model);
  WEAKSPOT_CHECK(known != models_.end());
  if (!judge) judge = std::make_unique<model::BatchJudge>(known->second);
  Judgement judgement;
  if (const auto word = model::foreign_word(known->second, test)) {
    judgement.remark = word->why;
  } else {
    const model::Verdict verdict = judge->judge(test, {.limits = limits_});
    judgement.outcomes = verdict.outcomes;
    // Loops that ran longer would show nothing that loops of a few rounds do not.
    judgement.complete = verdict.complete || verdict.cut_loops;
    judgement.race = !verdict.flags.empty();
    judgement.remark = verdict.reason;
  }
  const std::lock_guard lock(mutex_);
  idle_[model].push_back(std::move(judge));
  answers_.emplace(key, judgement);
  return judgement;
}

}  // namespace weakspot::compile
