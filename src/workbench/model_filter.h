// SPDX-License-Identifier: MIT
// Keeps the tests that some models forbid and others allow: with both, the tests that tell models apart.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "model/judge.h"

namespace weakspot::workbench {

// Names or paths of models.
struct ModelFilterRequest {
  std::vector<std::string> forbidden_by, allowed_by;

  bool empty() const { return forbidden_by.empty() && allowed_by.empty(); }
};

class ModelFilter {
 public:
  static base::Result<ModelFilter> load(const ModelFilterRequest& request);

  // False also if a model cannot tell in time.
  bool keeps(const litmus::LitmusTest& test) const;

 private:
  std::vector<model::Model> forbidding_, allowing_;
};

// The model's verdict on the condition, after ten seconds at the latest.
model::Verdict::Reach reach(const model::Model& model, const litmus::LitmusTest& test);
// Whether the model is certain that the condition cannot be reached.
bool forbids(const model::Model& model, const litmus::LitmusTest& test);

}  // namespace weakspot::workbench
