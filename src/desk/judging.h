// SPDX-License-Identifier: MIT
// What models expect of a test, as plain sets of outcomes: what a run compares its own outcomes with.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "desk/model_choice.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "model/limits.h"
#include "stats/outcome_class.h"

namespace weakspot::desk {

// What the questions asked of one test may take together. Then the outcomes that no model has reached are `unknown`.
struct JudgingLimits {
  double seconds = 20;
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes
  const std::atomic<bool>* stop = nullptr;        // the user's wish to end; null: none
};
// The limits beside a job of so many seconds: no more than that, but at least one second.
JudgingLimits judging_limits(double seconds, const std::atomic<bool>* stop);

class Judging {
 public:
  // `model`: a name or a path; empty: see judging_model().
  explicit Judging(std::string model = {}, JudgingLimits limits = {}) : model_(std::move(model)), limits_(limits) {}

  // What is expected of the test on a device; null: on any. Fails if a model cannot be read. A question that takes too
  // long has an incomplete set as its answer, not an error. So has a test that the model has no meaning for. That,
  // and an Expect line that the model contradicts, is in problems(). Asking again costs nothing.
  base::Result<stats::Expected> expected(const litmus::LitmusTest& test, const Platform* device);

  // What a person must hear about the tests judged so far, each once: a model or an Expect line is wrong, or the model
  // that was asked for cannot judge a test.
  const base::Diagnostics& problems() const { return problems_; }

 private:
  // How the model contradicts the test's Expect line; empty: it does not.
  std::string objection(const litmus::LitmusTest& test, const std::string& name, const model::Model& model);
  base::Result<const model::Model*> load(const std::string& name);
  stats::Reachable ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark);
  // What is left for the next question, of `parts` that are still to be asked.
  model::Limits next_limits(int parts) const;

  std::string model_;
  JudgingLimits limits_;
  double used_ = 0;  // seconds, by the questions asked of the current test
  int parts_ = 0;    // questions of the current test that are still to be asked
  std::map<std::string, model::Model> models_;
  std::map<std::string, stats::Expected> answers_;  // by test and model
  base::Diagnostics problems_;
};

}  // namespace weakspot::desk
