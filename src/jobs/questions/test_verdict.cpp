// SPDX-License-Identifier: MIT
#include "questions/test_verdict.h"

#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/explain.h"
#include "questions/fences.h"

namespace weakspot::questions {

TestVerdict judge(const TestAndModel& asked, std::string file, const model::JudgeOptions& options) {
  model::Verdict verdict = asked.judge.judge(asked.test, options);
  std::optional<Contradiction> contradicted = contradiction(asked.test, asked.model_name, verdict.reach);
  return {asked.test,         asked.model_name,        asked.judge.model(),
          std::move(verdict), std::move(contradicted), std::move(file)};
}

std::string explanation(const TestVerdict& judged, const model::Limits& limits) {
  return model::explain_verdict(judged.verdict, judged.model, limits) +
         explain_allowed(judged.test, judged.model, judged.verdict, limits);
}

base::JsonValue model_json(const model::ModelEntry& entry) {
  return base::json_object({{"name", entry.name},
                            {"title", entry.title},
                            {"family", to_string(entry.family)},
                            {"description", entry.description}});
}

base::JsonValue verdict_json(const TestVerdict& judged) {
  using model::Verdict;
  const litmus::LitmusTest& test = judged.test;
  const Verdict& verdict = judged.verdict;
  base::JsonValue json = base::json_object({{"file", judged.file},
                                            {"test", test.name},
                                            {"hash", litmus::hash_of(test).hex()},
                                            {"model", judged.model_name},
                                            {"verdict", to_string(verdict.reach)}});
  // A part of the executions cannot show that the condition always or never holds.
  if (verdict.complete || verdict.condition == Verdict::Condition::sometimes) {
    json["condition"] = to_string(verdict.condition);
  }
  json["outcomes"] = base::json_array();
  for (const litmus::Outcome& outcome : verdict.outcomes) {
    json["outcomes"].push_back(litmus::outcome_text(test, outcome));
  }
  json["executions"] = verdict.executions;
  json["seconds"] = verdict.seconds;
  json["flags"] = verdict.flags;
  if (!verdict.reason.empty()) json["reason"] = verdict.reason;
  return json;
}

}  // namespace weakspot::questions
