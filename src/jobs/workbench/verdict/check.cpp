// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/source.h"
#include "workbench/inputs.h"
#include "workbench/verdict/ask_models.h"

namespace weakspot::workbench {
namespace {

// At its place where the text of the test can be read again.
base::Diagnostic foreign_error(const model::ForeignWord& word, const litmus::LitmusTest& test,
                               const std::string& file) {
  const std::string message = fmt::format("{}: {}", test.name, word.why());
  base::Result<std::string> text = file == "-" ? base::error("") : base::read_file(file);
  const bool located = text && word.span.begin < word.span.end && word.span.end <= text->size();
  return located ? base::error_at(base::Source(file, *std::move(text)), word.span, message)
                 : base::error_in(file, message);
}

}  // namespace

base::Result<CheckResult> ask_models(const TestsAndModels& request, const std::atomic<bool>* stop,
                                     const AskOfTest& ask) {
  model::ModelShelf shelf(request.include_folders, request.bell);
  for (const std::string& name : request.models) {
    if (const base::Result<model::BatchJudge*> judge = shelf.get(name); !judge) return judge.errors();
  }
  CheckResult result;
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  fail(for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string& file) {
    const base::Status asked = questions::ask_models(
        shelf, test, request.models, stop, [&](const questions::TestAndModel& one) { ask(one, file, result.errors); },
        [&](const std::string&, const model::ForeignWord& word) { fail({foreign_error(word, test, file)}); });
    if (!asked) fail(asked.errors());
  }));
  return result;
}

base::Result<CheckResult> check(const CheckRequest& request,
                                const std::function<void(const questions::TestVerdict&)>& visit) {
  // The test that was being judged when the user stopped is shown, with what is known of it; the others are not.
  return ask_models(request, request.options.limits.stop,
                    [&](const questions::TestAndModel& asked, const std::string& file, base::Diagnostics& errors) {
                      const questions::TestVerdict verdict = questions::judge(asked, file, request.options);
                      if (verdict.contradicted) errors.push_back(base::error(verdict.contradicted->text()));
                      visit(verdict);
                    });
}

}  // namespace weakspot::workbench
