// SPDX-License-Identifier: MIT
// What models expect of a test, as plain sets of outcomes: what a run compares its own outcomes with.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "backend/device.h"
#include "base/result.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "stats/outcome_class.h"

namespace weakspot::workbench {

class Judging {
 public:
  // `model`: a name or a path; empty: see judging_model(). `seconds`: for each of the three questions asked of a test.
  explicit Judging(std::string model = {}, double seconds = 20) : model_(std::move(model)), seconds_(seconds) {}

  // What is expected of the test on a device; null: on any. Fails if a model cannot be read. A question that takes too
  // long has an incomplete set as its answer, not an error. So has a test that the model has no meaning for, and one
  // whose Expect line the model contradicts: these are in problems(). Asking again costs nothing.
  base::Result<stats::Expected> expected(const litmus::LitmusTest& test, const backend::DeviceInfo* device);

  // What a person must hear about the tests judged so far, each once: a model or an Expect line is wrong, or the model
  // that was asked for cannot judge a test.
  const base::Diagnostics& problems() const { return problems_; }

 private:
  // Why the outcomes of the test are not judged by this model; empty: they are.
  std::string objection(const litmus::LitmusTest& test, const std::string& name, const model::Model& model) const;
  base::Result<const model::Model*> load(const std::string& name);
  stats::Reachable ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark) const;

  std::string model_;
  double seconds_;
  std::map<std::string, model::Model> models_;
  std::map<std::string, stats::Expected> answers_;  // by test and model
  base::Diagnostics problems_;
};

}  // namespace weakspot::workbench
