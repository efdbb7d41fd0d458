// SPDX-License-Identifier: MIT
#include "workbench/check_progress.h"

#include "questions/stop.h"
#include "workbench/verdict/ask_models.h"

namespace weakspot::workbench {

base::Result<CheckResult> check_progress(const CheckRequest& request, const std::vector<model::Progress>& progress,
                                         const std::function<void(const ProgressAnswer&)>& visit) {
  const model::Limits& limits = request.options.limits;
  return ask_models(
      request, limits.stop, [&](const questions::TestAndModel& asked, const std::string&, base::Diagnostics&) {
        for (model::Progress one : progress) {
          if (questions::is_stopped(limits.stop)) return;
          const model::ProgressVerdict verdict = model::ends(asked.test, asked.judge.model(), one, limits);
          visit({asked.test, asked.model_name, one, verdict});
        }
      });
}

}  // namespace weakspot::workbench
