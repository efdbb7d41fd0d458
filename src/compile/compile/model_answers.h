// SPDX-License-Identifier: MIT
// Answers of models about tests; each question is asked once. Safe for several threads of the program.
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
#include "model/model_shelf.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::compile {

struct ModelAnswer {
  litmus::OutcomeSet outcomes;
  bool complete = false;  // `outcomes` has all
  bool race = false;      // an execution has a data race: the language gives the test no meaning
  std::string remark;     // why it is not complete
};

class ModelAnswers {
 public:
  // `limits` are for one test.
  explicit ModelAnswers(const model::Limits& limits) : limits_(limits) {}

  // Reads the model, if it is new. Not for several threads at once.
  base::Status load(const std::string& model);
  // The model must have been loaded.
  ModelAnswer ask(const litmus::LitmusTest& test, const std::string& model);

  std::size_t judged() const { return answers_.size(); }

 private:
  using Key = std::pair<std::string, base::Hash128>;

  model::Limits limits_;
  std::mutex mutex_;
  model::ModelShelf models_;
  std::map<std::string, std::vector<std::unique_ptr<model::BatchJudge>>> idle_;
  std::map<Key, ModelAnswer> answers_;
};

}  // namespace weakspot::compile
