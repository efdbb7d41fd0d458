// SPDX-License-Identifier: MIT
// Keeps the tests that some models forbid and others allow: with both, the tests that tell models apart.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/cat_model.h"
#include "model/judge.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::questions {

struct ModelFilterRequest {
  std::vector<std::string> forbidden_by, allowed_by;  // names or paths of models
  const std::atomic<bool>* stop = nullptr;            // the user's wish to end; null: none

  bool empty() const { return forbidden_by.empty() && allowed_by.empty(); }
};

class ModelFilter {
 public:
  static base::Result<ModelFilter> load(const ModelFilterRequest& request);

  // False also if a model cannot tell in time, or the user wants to end.
  bool keeps(const litmus::LitmusTest& test) const;

 private:
  std::vector<model::Model> forbidding_, allowing_;
  const std::atomic<bool>* stop_ = nullptr;
};

// The model's verdict on the condition, after ten seconds or the user's wish to end at the latest.
model::Verdict::Reach reach(const model::Model& model, const litmus::LitmusTest& test,
                            const std::atomic<bool>* stop = nullptr);
// Whether the model is certain that the condition cannot be reached.
bool forbids(const model::Model& model, const litmus::LitmusTest& test, const std::atomic<bool>* stop = nullptr);

}  // namespace weakspot::questions
