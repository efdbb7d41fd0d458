// SPDX-License-Identifier: MIT
#include "workbench/check_progress.h"

#include <algorithm>

#include "desk/loaded_models.h"
#include "desk/model_choice.h"
#include "model/foreign_words.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

// Models under which one location, accessed by atomics alone, behaves as if its accesses were interleaved. Those of
// 2015 and RMO let two reads of a location be swapped; nothing is known of a file of the user's.
bool is_coherent(const std::string& model) {
  static constexpr std::string_view kCoherent[] = {"sc",     "sc-per-loc", "rel-acq", "tso",    "ptx",
                                                   "vulkan", "opencl",     "c11",     "webgpu", "aarch64"};
  return std::find(std::begin(kCoherent), std::end(kCoherent), model) != std::end(kCoherent);
}

}  // namespace

base::Result<CheckResult> check_progress(const CheckRequest& request, const std::vector<model::Progress>& progress,
                                         const std::function<void(const ProgressAnswer&)>& visit) {
  desk::LoadedModels models(request.include_folders, request.bell);
  for (const std::string& name : request.models) {
    if (const auto model = models.get(name); !model) return model.errors();
  }
  CheckResult result;
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  auto ask = [&](const litmus::LitmusTest& test, const std::string& name, const std::string& file) {
    const base::Result<const model::Model*> model = models.get(name);
    if (!model) return fail(model.errors());
    if (const auto word = model::foreign_word(**model, test)) return fail({foreign_error(*word, test, file)});
    for (model::Progress one : progress) {
      const std::atomic<bool>* stop = request.options.limits.stop;
      if (stop != nullptr && stop->load()) return;
      const model::ProgressVerdict verdict =
          model::ends(test, **model, one, {request.options.limits, is_coherent(name)});
      visit({test, name, one, verdict});
    }
  };
  fail(for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string& file) {
    if (request.models.empty()) ask(test, desk::judging_model(test, nullptr, ""), file);
    for (const std::string& name : request.models) ask(test, name, file);
  }));
  return result;
}

}  // namespace weakspot::workbench
