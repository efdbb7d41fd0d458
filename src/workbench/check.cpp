// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <fmt/format.h>

#include <map>

#include "base/file.h"
#include "model/foreign_words.h"
#include "model/library.h"
#include "workbench/inputs.h"
#include "workbench/model_choice.h"

namespace weakspot::workbench {
namespace {

// Judges by name; each model is read once.
class Judges {
 public:
  explicit Judges(const CheckRequest& request) : request_(request) {}

  base::Result<model::BatchJudge*> get(const std::string& name) {
    auto found = judges_.find(name);
    if (found == judges_.end()) {
      const base::Result<model::Model> loaded = model::load_model(name, request_.include_folders, request_.bell);
      if (!loaded) return loaded.errors();
      found = judges_.emplace(name, *loaded).first;
    }
    return &found->second;
  }

 private:
  const CheckRequest& request_;
  std::map<std::string, model::BatchJudge, std::less<>> judges_;
};

}  // namespace

base::Diagnostic foreign_error(const model::ForeignWord& word, const litmus::LitmusTest& test,
                               const std::string& file) {
  const std::string message = fmt::format("{}: {}", test.name, word.why);
  base::Result<std::string> text = file == "-" ? base::error("") : base::read_file(file);
  const bool located = text && word.span.begin < word.span.end && word.span.end <= text->size();
  return located ? base::error_at(base::Source(file, *std::move(text)), word.span, message)
                 : base::error_in(file, message);
}

base::Result<CheckResult> check(const CheckRequest& request, const std::function<void(const Judged&)>& visit) {
  Judges judges(request);
  for (const std::string& name : request.models) {
    if (const base::Result<model::BatchJudge*> judge = judges.get(name); !judge) return judge.errors();
  }
  CheckResult result;
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  auto check_by = [&](const litmus::LitmusTest& test, const std::string& name, const std::string& file) {
    // The test that was being judged is shown, with what is known of it; the others are not.
    const std::atomic<bool>* stop = request.options.limits.stop;
    if (stop != nullptr && stop->load()) return;
    const base::Result<model::BatchJudge*> judge = judges.get(name);
    if (!judge) return fail(judge.errors());
    if (const auto word = model::foreign_word((*judge)->model(), test)) return fail({foreign_error(*word, test, file)});
    const model::Verdict verdict = (*judge)->judge(test, request.options);
    const std::optional<std::string> contradicted = contradiction(test, name, verdict.reach);
    if (contradicted) fail({base::error(*contradicted)});
    visit({test, name, (*judge)->model(), verdict, contradicted.has_value(), file});
  };
  const base::Diagnostics unread =
      for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string& file) {
        if (request.models.empty()) check_by(test, judging_model(test, nullptr, ""), file);
        for (const std::string& name : request.models) check_by(test, name, file);
      });
  fail(unread);
  return result;
}

}  // namespace weakspot::workbench
