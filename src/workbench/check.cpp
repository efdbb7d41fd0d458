// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <map>

#include "model/library.h"
#include "workbench/inputs.h"
#include "workbench/model_choice.h"

namespace weakspot::workbench {
namespace {

bool is_unexpected(const litmus::LitmusTest& test, const std::string& model, const model::Verdict& verdict) {
  using model::Verdict;
  const auto expected = test.expectations.find(model);
  if (expected == test.expectations.end() || verdict.reach == Verdict::Reach::unknown) return false;
  return (expected->second == litmus::Expectation::allowed) != (verdict.reach == Verdict::Reach::allowed);
}

// Judges by name; each model is read once.
class Judges {
 public:
  explicit Judges(const std::vector<std::string>& include_folders) : include_folders_(include_folders) {}

  base::Result<model::BatchJudge*> get(const std::string& name) {
    auto found = judges_.find(name);
    if (found == judges_.end()) {
      const base::Result<model::Model> loaded = model::load_model(name, include_folders_);
      if (!loaded) return loaded.errors();
      found = judges_.emplace(name, *loaded).first;
    }
    return &found->second;
  }

 private:
  const std::vector<std::string>& include_folders_;
  std::map<std::string, model::BatchJudge, std::less<>> judges_;
};

}  // namespace

base::Result<CheckResult> check(const CheckRequest& request, const std::function<void(const Judged&)>& visit) {
  Judges judges(request.include_folders);
  for (const std::string& name : request.models) {
    if (const base::Result<model::BatchJudge*> judge = judges.get(name); !judge) return judge.errors();
  }
  CheckResult result;
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  auto check_by = [&](const litmus::LitmusTest& test, const std::string& name) {
    const base::Result<model::BatchJudge*> judge = judges.get(name);
    if (!judge) return fail(judge.errors());
    const model::Verdict verdict = (*judge)->judge(test, request.options);
    const bool unexpected = is_unexpected(test, name, verdict);
    result.unexpected = result.unexpected || unexpected;
    visit({test, name, (*judge)->model(), verdict, unexpected});
  };
  const base::Diagnostics unread = for_each_test(request.tests, [&](litmus::LitmusTest&& test, const std::string&) {
    if (request.models.empty()) check_by(test, judging_model(test, nullptr, ""));
    for (const std::string& name : request.models) check_by(test, name);
  });
  fail(unread);
  return result;
}

}  // namespace weakspot::workbench
