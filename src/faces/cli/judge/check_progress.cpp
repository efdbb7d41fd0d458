// SPDX-License-Identifier: MIT
#include "cli/judge/check_progress.h"

#include <fmt/format.h>

#include "cli/command/commands.h"
#include "console/interrupt.h"
#include "litmus/dialect.h"
#include "workbench/check_progress.h"

namespace weakspot::cli {
namespace {

using Answer = workbench::ProgressAnswer;

base::Result<std::vector<model::Progress>> progress_models(const std::vector<std::string>& names) {
  std::vector<model::Progress> models;
  for (const std::string& name : names) {
    if (name == "all") {
      models.insert(models.end(), model::kProgressModels.begin(), model::kProgressModels.end());
    } else if (const std::optional<model::Progress> one = model::progress_named(name)) {
      models.push_back(*one);
    } else {
      return base::error(
          fmt::format("unknown progress model '{}'; expected fair, lobe, hsa-obe, obe, hsa, unfair or all", name));
    }
  }
  return models;
}

std::string answer_text(const Answer& answer) {
  std::string text = fmt::format("{:<9} {}  {}  {}", to_string(answer.verdict.answer), answer.test.name,
                                 answer.model_name, to_string(answer.progress));
  if (!answer.verdict.reason.empty()) text += fmt::format("  ({})", answer.verdict.reason);
  text += '\n';
  for (const std::string& line : answer.verdict.story) text += fmt::format("  {}\n", line);
  return text;
}

base::JsonValue answer_json(const Answer& answer) {
  base::JsonValue json;
  json["test"] = answer.test.name;
  json["hash"] = litmus::hash_of(answer.test).hex();
  json["model"] = answer.model_name;
  json["progress"] = to_string(answer.progress);
  json["verdict"] = to_string(answer.verdict.answer);
  json["story"] = base::json_array();
  for (const std::string& line : answer.verdict.story) json["story"].push_back(line);
  json["seconds"] = answer.verdict.seconds;
  if (!answer.verdict.reason.empty()) json["reason"] = answer.verdict.reason;
  return json;
}

}  // namespace

int run_check_progress(const workbench::CheckRequest& request, const std::vector<std::string>& names, bool json) {
  const base::Result<std::vector<model::Progress>> progress = progress_models(names);
  if (!progress) return fail(progress.errors());
  base::JsonValue array = base::json_array();
  const auto show = [&](const Answer& answer) {
    if (json) {
      array.push_back(answer_json(answer));
    } else {
      print_results(answer_text(answer));
    }
  };
  const base::Result<workbench::CheckResult> result = workbench::check_progress(request, *progress, show);
  if (!result) return fail(result.errors());
  if (json) print_output(json_text(array));
  if (!result->errors.empty()) return fail(result->errors);
  return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : kFine;
}

}  // namespace weakspot::cli
