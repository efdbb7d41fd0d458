// SPDX-License-Identifier: MIT
// Tests judged by models that are read once, and what to say of a verdict.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "litmus/test.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::desk {

// One test judged by one model. The references are valid during the call only.
struct Judged {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  const model::Model& model;
  const model::Verdict& verdict;
  const std::optional<std::string>& contradicted;  // how the verdict contradicts the test's Expect line
  const std::string& file;                         // where the test was read; "-" for standard input
};

// Judges by the names or paths of their models.
class Judges {
 public:
  explicit Judges(std::vector<std::string> include_folders = {}, std::string bell = {})
      : include_folders_(std::move(include_folders)), bell_(std::move(bell)) {}

  base::Result<model::BatchJudge*> get(const std::string& name);
  // A model of the user's own, under a name that get() then knows; replaces one of that name.
  void add(const std::string& name, const model::Model& model);

  // Judges the test and visits the verdict. Returns the word that the model has no meaning for, if there is one: then
  // there is no verdict. Fails if the model cannot be read.
  base::Result<std::optional<model::ForeignWord>> judge(const litmus::LitmusTest& test, const std::string& name,
                                                        const std::string& file, const model::JudgeOptions& options,
                                                        const std::function<void(const Judged&)>& visit);

 private:
  std::vector<std::string> include_folders_;
  std::string bell_;
  std::map<std::string, model::BatchJudge, std::less<>> judges_;
};

// Why the verdict is what it is: indented lines. The verdict was made with JudgeOptions::explain.
std::string explanation(const Judged& judged, const model::Limits& limits);

// An entry of `models --json`.
base::JsonValue model_json(const model::ModelEntry& entry);
// An entry of `check --json`.
base::JsonValue verdict_json(const Judged& judged);

}  // namespace weakspot::desk
