// What a model says of a test, as plain sets of outcomes: what a run compares its own outcomes with.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "stats/outcome_class.h"

namespace weakspot::cli {

class Judging {
 public:
  // `model`: a name or a path; empty: by the test's kind. `seconds`: for each of the three questions asked of a test.
  explicit Judging(std::string model = {}, double seconds = 20) : model_(std::move(model)), seconds_(seconds) {}

  // Fails if the model cannot be read. What a model cannot tell in time is an incomplete set, not an error.
  base::Result<stats::Expected> expected(const litmus::LitmusTest& test);

 private:
  base::Result<const model::Model*> load(const std::string& name);
  stats::Reachable ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark) const;

  std::string model_;
  double seconds_;
  std::map<std::string, model::Model> models_;
  std::map<std::string, stats::Expected> answers_;  // by test and model
};

}  // namespace weakspot::cli
