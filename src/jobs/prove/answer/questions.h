// SPDX-License-Identifier: MIT
// The questions to a model about a launch's test.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/cat_model.h"
#include "model/judge.h"
#include "prove/translate/translation.h"

namespace weakspot::prove {

// The model, and for those of PTX the same model with only the executions that have a data race.
struct ProofModels {
  model::Model plain;
  std::optional<model::Model> racy;
};
base::Result<ProofModels> load_proof_models(const std::string& name);

// The steps of an execution in lines of the source.
std::vector<ProofThread> told(const residual::Residual& residual, const Translation& translation,
                              const litmus::LitmusTest& test, const model::Witness& witness);

}  // namespace weakspot::prove
