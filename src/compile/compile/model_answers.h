// SPDX-License-Identifier: MIT
// What models say of tests, each asked once. For several threads of the program.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/judge.h"

namespace weakspot::compile {

struct Judgement {
  litmus::OutcomeSet outcomes;
  bool complete = false;  // these are all
  bool race = false;      // an execution has a data race: the language gives the test no meaning
  std::string remark;     // why it is not complete
};

class Judgements {
 public:
  // `limits` are for one test.
  explicit Judgements(const model::Limits& limits) : limits_(limits) {}

  // Reads the model, if it is new. Not for several threads at once.
  base::Status load(const std::string& model);
  // The model must have been loaded.
  Judgement judge(const litmus::LitmusTest& test, const std::string& model);

  std::size_t judged() const { return answers_.size(); }

 private:
  using Key = std::pair<std::string, base::Hash128>;

  model::Limits limits_;
  std::map<std::string, model::Model> models_;
  std::mutex mutex_;
  std::map<std::string, std::vector<std::unique_ptr<model::BatchJudge>>> idle_;
  std::map<Key, Judgement> answers_;
};

}  // namespace weakspot::compile
