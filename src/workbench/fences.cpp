// SPDX-License-Identifier: MIT
#include "workbench/fences.h"

#include "desk/loaded_models.h"
#include "desk/model_choice.h"
#include "model/foreign_words.h"
#include "workbench/check.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {

base::Result<FencesResult> fences(const FencesRequest& request,
                                  const std::function<void(const desk::FencesOf&)>& visit) {
  desk::LoadedModels models(request.include_folders);
  for (const std::string& name : request.models) {
    if (const base::Result<const model::Model*> model = models.get(name); !model) return model.errors();
  }
  base::Diagnostics errors;
  auto find_by = [&](const litmus::LitmusTest& test, const std::string& name, const std::string& file) {
    const std::atomic<bool>* stop = request.options.limits.stop;
    if (stop != nullptr && stop->load()) return;
    const base::Result<const model::Model*> model = models.get(name);
    if (!model) {
      errors.insert(errors.end(), model.errors().begin(), model.errors().end());
    } else if (const auto word = model::foreign_word(**model, test)) {
      errors.push_back(foreign_error(*word, test, file));
    } else {
      visit({test, name, desk::find_fences(test, **model, request.options)});
    }
  };
  const base::Diagnostics unread =
      for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string& file) {
        if (request.models.empty()) find_by(test, desk::judging_model(test, nullptr, ""), file);
        for (const std::string& name : request.models) find_by(test, name, file);
      });
  errors.insert(errors.end(), unread.begin(), unread.end());
  return FencesResult{std::move(errors)};
}

}  // namespace weakspot::workbench
