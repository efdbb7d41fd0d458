// SPDX-License-Identifier: MIT
#include "workbench/fences.h"

#include "workbench/verdict/ask_models.h"

namespace weakspot::workbench {

base::Result<CheckResult> fences(const FencesRequest& request,
                                 const std::function<void(const questions::FencesOf&)>& visit) {
  return ask_models(
      request, request.options.limits.stop,
      [&](const questions::TestAndModel& asked, const std::string&, base::Diagnostics&) {
        visit({asked.test, asked.model_name, questions::find_fences(asked.test, asked.judge.model(), request.options)});
      });
}

}  // namespace weakspot::workbench
