// SPDX-License-Identifier: MIT
#include "desk/judged.h"

#include "desk/fences.h"
#include "desk/model_choice.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/explain.h"

namespace weakspot::desk {

base::Result<model::BatchJudge*> Judges::get(const std::string& name) {
  auto found = judges_.find(name);
  if (found == judges_.end()) {
    const base::Result<model::Model> loaded = model::load_model(name, include_folders_, bell_);
    if (!loaded) return loaded.errors();
    found = judges_.emplace(name, *loaded).first;
  }
  return &found->second;
}

void Judges::add(const std::string& name, const model::Model& model) {
  judges_.erase(name);
  judges_.emplace(name, model);
}

base::Result<std::optional<model::ForeignWord>> Judges::judge(const litmus::LitmusTest& test, const std::string& name,
                                                              const std::string& file,
                                                              const model::JudgeOptions& options,
                                                              const std::function<void(const Judged&)>& visit) {
  const base::Result<model::BatchJudge*> judge = get(name);
  if (!judge) return judge.errors();
  if (std::optional<model::ForeignWord> word = model::foreign_word((*judge)->model(), test)) return word;
  const model::Verdict verdict = (*judge)->judge(test, options);
  const std::optional<std::string> contradicted = contradiction(test, name, verdict.reach);
  visit({test, name, (*judge)->model(), verdict, contradicted, file});
  return std::optional<model::ForeignWord>();
}

std::string explanation(const Judged& judged, const model::Limits& limits) {
  return model::explain_verdict(judged.verdict, judged.model, limits) +
         explain_allowed(judged.test, judged.model, judged.verdict, limits);
}

base::JsonValue model_json(const model::ModelEntry& entry) {
  return base::json_object({{"name", entry.name}, {"title", entry.title}, {"description", entry.description}});
}

base::JsonValue verdict_json(const Judged& judged) {
  using model::Verdict;
  const litmus::LitmusTest& test = judged.test;
  const Verdict& verdict = judged.verdict;
  base::JsonValue json;
  json["file"] = judged.file;
  json["test"] = test.name;
  json["hash"] = litmus::hash_of(test).hex();
  json["model"] = judged.model_name;
  json["verdict"] = to_string(verdict.reach);
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

}  // namespace weakspot::desk
