// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <fmt/format.h>

#include "base/file.h"
#include "desk/model_choice.h"
#include "desk/stop.h"
#include "model/foreign_words.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {

base::Diagnostic foreign_error(const model::ForeignWord& word, const litmus::LitmusTest& test,
                               const std::string& file) {
  const std::string message = fmt::format("{}: {}", test.name, word.why);
  base::Result<std::string> text = file == "-" ? base::error("") : base::read_file(file);
  const bool located = text && word.span.begin < word.span.end && word.span.end <= text->size();
  return located ? base::error_at(base::Source(file, *std::move(text)), word.span, message)
                 : base::error_in(file, message);
}

base::Result<CheckResult> check(const CheckRequest& request, const std::function<void(const desk::Judged&)>& visit) {
  desk::Judges judges(request.include_folders, request.bell);
  for (const std::string& name : request.models) {
    if (const base::Result<model::BatchJudge*> judge = judges.get(name); !judge) return judge.errors();
  }
  CheckResult result;
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  auto show = [&](const desk::Judged& judged) {
    if (judged.contradicted) fail({base::error(*judged.contradicted)});
    visit(judged);
  };
  auto check_by = [&](const litmus::LitmusTest& test, const std::string& name, const std::string& file) {
    // The test that was being judged is shown, with what is known of it; the others are not.
    if (desk::is_stopped(request.options.limits.stop)) return;
    const auto foreign = judges.judge(test, name, file, request.options, show);
    if (!foreign) return fail(foreign.errors());
    if (*foreign) fail({foreign_error(**foreign, test, file)});
  };
  const base::Diagnostics unread =
      for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string& file) {
        if (request.models.empty()) check_by(test, desk::judging_model(test, nullptr, ""), file);
        for (const std::string& name : request.models) check_by(test, name, file);
      });
  fail(unread);
  return result;
}

}  // namespace weakspot::workbench
