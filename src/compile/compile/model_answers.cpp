// SPDX-License-Identifier: MIT
#include "compile/model_answers.h"

#include "base/check.h"
#include "litmus/dialect.h"
#include "model/foreign_words.h"

namespace weakspot::compile {

base::Status ModelAnswers::load(const std::string& model) {
  const base::Result<model::BatchJudge*> loaded = models_.get(model);
  return loaded ? base::ok_status() : base::Status(loaded.errors());
}

ModelAnswer ModelAnswers::ask(const litmus::LitmusTest& test, const std::string& model) {
  const Key key{model, litmus::hash_of(test)};
  std::unique_ptr<model::BatchJudge> judge;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    auto& idle = idle_[model];
    if (idle.empty()) {
      const base::Result<model::BatchJudge*> known = models_.get(model);
      WEAKSPOT_CHECK(known.ok());
      idle.push_back(std::make_unique<model::BatchJudge>((*known)->model()));
    }
    judge = std::move(idle.back());
    idle.pop_back();
  }
  ModelAnswer answer;
  if (const auto word = model::foreign_word(judge->model(), test)) {
    answer.remark = word->why();
  } else {
    const model::Verdict verdict = judge->judge(test, {.limits = limits_});
    answer.outcomes = verdict.outcomes;
    // Loops that ran longer would show nothing that loops of a few rounds do not.
    answer.complete = verdict.complete || verdict.cut_loops;
    answer.race = !verdict.flags.empty();
    answer.remark = verdict.reason;
  }
  const std::lock_guard lock(mutex_);
  idle_[model].push_back(std::move(judge));
  answers_.emplace(key, answer);
  return answer;
}

}  // namespace weakspot::compile
