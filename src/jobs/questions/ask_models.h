// SPDX-License-Identifier: MIT
// A test put before models, one after the other: every question about tests and models is asked here.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "model/foreign_words.h"
#include "model/model_shelf.h"

namespace weakspot::questions {

// A test and a model that has a meaning for it. The references are valid during the call only.
struct TestAndModel {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  model::BatchJudge& judge;
};

// Takes the names or paths of models; none: see judging_model(). `refuse` hears of a model that has no meaning for a
// word of the test. Ends early if `stop` is set (null: never). Fails if a model cannot be read.
base::Status ask_models(model::ModelShelf& shelf, const litmus::LitmusTest& test,
                        const std::vector<std::string>& models, const std::atomic<bool>* stop,
                        const std::function<void(const TestAndModel&)>& ask,
                        const std::function<void(const std::string& model, const model::ForeignWord&)>& refuse);

}  // namespace weakspot::questions
