// SPDX-License-Identifier: MIT
// The outcomes that models expect of a test, as plain sets; a run compares its own outcomes with them.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/limits.h"
#include "model/model_shelf.h"
#include "questions/model_choice.h"
#include "stats/outcome_class.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::questions {

// Limits of all questions about one test together. Beyond them, outcomes that no model has reached are `unknown`.
struct LimitsPerTest {
  double seconds = 20;
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes
  const std::atomic<bool>* stop = nullptr;        // the user's wish to end; null: none
};
// The limits beside a job of so many seconds: no more than that, but at least one second.
LimitsPerTest limits_beside_job(double seconds, const std::atomic<bool>* stop);

class ExpectedOutcomes {
 public:
  // `model`: a name or a path; empty: see judging_model().
  explicit ExpectedOutcomes(std::string model = {}, LimitsPerTest limits = {})
      : model_(std::move(model)), limits_(limits) {}

  // The outcomes expected of the test on a device; null: on any. Fails if a model cannot be read. A question that takes
  // too long, or a test that the model has no meaning for, gives an incomplete set, not an error. The latter, and an
  // Expect line that the model contradicts, is in problems(). Asking again costs nothing.
  base::Result<stats::Expected> of(const litmus::LitmusTest& test, const Platform* device);

  // Problems that a person must hear about, each once, from the tests judged so far: a model or an Expect line is
  // wrong, or the requested model cannot judge a test.
  const base::Diagnostics& problems() const { return problems_; }

 private:
  // The model's contradiction of the test's Expect line, if there is one.
  std::optional<Contradiction> objection(const litmus::LitmusTest& test, const std::string& name,
                                         model::BatchJudge& judge);
  stats::Reachable ask(const litmus::LitmusTest& test, model::BatchJudge& judge, std::string& remark);
  // Limits for the next question: an equal part of the time that is left for the `parts` still to be asked.
  model::Limits next_limits(int parts) const;

  std::string model_;
  LimitsPerTest limits_;
  double used_ = 0;  // seconds, by the questions asked of the current test
  int parts_ = 0;    // questions of the current test that are still to be asked
  model::ModelShelf models_;
  std::map<std::string, stats::Expected> answers_;  // by test and model
  base::Diagnostics problems_;
};

}  // namespace weakspot::questions
