// SPDX-License-Identifier: MIT
#include "questions/ask_models.h"

#include "questions/model_choice.h"
#include "questions/stop.h"

namespace weakspot::questions {

base::Status ask_models(model::ModelShelf& shelf, const litmus::LitmusTest& test,
                        const std::vector<std::string>& models, const std::atomic<bool>* stop,
                        const std::function<void(const TestAndModel&)>& ask,
                        const std::function<void(const std::string& model, const model::ForeignWord&)>& refuse) {
  if (models.empty()) return ask_models(shelf, test, {judging_model(test, nullptr, "")}, stop, ask, refuse);
  for (const std::string& name : models) {
    if (is_stopped(stop)) break;
    const base::Result<model::BatchJudge*> judge = shelf.get(name);
    if (!judge) return judge.errors();
    if (const auto word = model::foreign_word((*judge)->model(), test)) {
      refuse(name, *word);
    } else {
      ask({test, name, **judge});
    }
  }
  return base::ok_status();
}

}  // namespace weakspot::questions
