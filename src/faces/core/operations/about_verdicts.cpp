// SPDX-License-Identifier: MIT
// Models, verdicts with their explanations and pictures, and what would forbid an outcome.
#include <fmt/format.h>

#include "base/diagnostic_json.h"
#include "desk/fences_json.h"
#include "desk/model_choice.h"
#include "litmus/text.h"
#include "model/picture.h"
#include "wasm/fields.h"
#include "wasm/operations.h"

namespace weakspot::wasm {
namespace {

using Json = base::JsonValue;

base::Status list_models_once(State& state) {
  if (!state.models.empty()) return base::ok_status();
  base::Result<std::vector<model::ModelEntry>> entries = model::list_models();
  if (!entries) return entries.errors();
  state.models = *std::move(entries);
  return base::ok_status();
}

Reply models(State& state, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (const base::Status listed = list_models_once(state); !listed) return listed.errors();
  Json array = base::json_array();
  for (const model::ModelEntry& entry : state.models) array.push_back(desk::model_json(entry));
  return array;
}

base::Result<base::Source> built_in_source(std::string_view file) {
  const auto text = file.ends_with(".cat") ? model::built_in_text(file.substr(0, file.size() - 4)) : std::nullopt;
  if (!text) return base::error(fmt::format("there is no file '{}' to include", file));
  return base::Source(fmt::format("models/{}", file), std::string(*text));
}

// A question about tests: what to ask, of which models.
struct Question {
  base::Source source;
  std::vector<std::string> models;  // none: the test's own
  model::Limits limits;
  const Json* cats = nullptr;
};

Question question_fields(JsonFields& fields) {
  return {.source = source_field(fields),
          .models = texts_field(fields, "models"),
          .limits = limits_field(fields),
          .cats = fields.take("cat", Json::Kind::object)};
}

// Reads the user's own models, and writes out what "all" means.
base::Status prepare(State& state, Question& question) {
  static const Json kNone = base::json_object();
  for (const base::JsonMember& own : (question.cats == nullptr ? kNone : *question.cats).members()) {
    const auto compiled = model::Model::compile(base::Source(own.key, own.value.text()), built_in_source);
    if (!compiled) return compiled.errors();
    state.judges.add(own.key, *compiled);
  }
  if (question.models != std::vector<std::string>{"all"}) return base::ok_status();
  if (const base::Status listed = list_models_once(state); !listed) return listed.errors();
  question.models.clear();
  for (const model::ModelEntry& entry : state.models) question.models.push_back(entry.name);
  return base::ok_status();
}

std::vector<std::string> models_for(const litmus::LitmusTest& test, const Question& question) {
  if (!question.models.empty()) return question.models;
  return {desk::judging_model(test, nullptr, "")};
}

Json refusal_json(const litmus::LitmusTest& test, const std::string& model, const model::ForeignWord& word,
                  const base::Source& source) {
  const bool located = word.span.begin < word.span.end && word.span.end <= source.text().size();
  Json json = base::json_object({{"test", test.name}, {"model", model}});
  const Json where =
      error_json(located ? base::error_at(source, word.span, word.why) : base::error_in(source.name(), word.why));
  for (const base::JsonMember& member : where.members()) json[member.key] = member.value;
  return json;
}

struct CheckOptions {
  model::JudgeOptions judge;
  bool explain = false;
  bool picture = false;
};

Json verdict_entry(const desk::Judged& judged, const CheckOptions& options) {
  Json json = desk::verdict_json(judged);
  if (options.explain) json["explanation"] = desk::explanation(judged, options.judge.limits);
  Json satisfying = base::json_array();
  const litmus::OutcomeReader reader(judged.test);
  std::size_t index = 0;
  for (const litmus::Outcome& outcome : judged.verdict.outcomes) {
    if (reader.satisfies(outcome)) satisfying.push_back(index);
    ++index;
  }
  json["satisfying"] = std::move(satisfying);
  if (!options.picture) return json;
  const auto picture = model::picture_of(judged.verdict, judged.model, judged.model_name, options.judge.limits);
  if (picture) json["svg"] = model::svg_picture(*picture);
  return json;
}

Reply check(State& state, JsonFields& fields) {
  Question question = question_fields(fields);
  CheckOptions options;
  options.explain = fields.truth("explain");
  options.picture = fields.truth("picture");
  options.judge = {.limits = question.limits,
                   .condition_only = fields.truth("condition_only"),
                   .explain = options.explain || options.picture};
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (const base::Status ready = prepare(state, question); !ready) return ready.errors();
  const auto tests = litmus::read_tests(question.source);
  if (!tests) return tests.errors();
  Json verdicts = base::json_array(), refused = base::json_array(), contradicted = base::json_array();
  auto visit = [&](const desk::Judged& judged) {
    verdicts.push_back(verdict_entry(judged, options));
    if (judged.contradicted) contradicted.push_back(base::json_object({{"message", *judged.contradicted}}));
  };
  for (const litmus::LitmusTest& test : *tests) {
    for (const std::string& name : models_for(test, question)) {
      const auto foreign = state.judges.judge(test, name, question.source.name(), options.judge, visit);
      if (!foreign) return foreign.errors();
      if (*foreign) refused.push_back(refusal_json(test, name, **foreign, question.source));
    }
  }
  return base::json_object(
      {{"verdicts", std::move(verdicts)}, {"refused", std::move(refused)}, {"contradicted", std::move(contradicted)}});
}

Json fences_entry(const litmus::LitmusTest& test, const std::string& name, const desk::Fences& fences) {
  const Json written = desk::fences_json({test, name, fences});
  Json json = base::json_object();
  for (const base::JsonMember& member : written.members()) {
    if (member.key != "ways") json[member.key] = member.value;
  }
  json["ways"] = base::json_array();
  for (std::size_t i = 0; i < fences.ways.size(); ++i) {
    Json way = written.at("ways").at(i);
    const litmus::LitmusTest& stronger = fences.ways[i].test;
    if (const auto text = litmus::print(stronger, litmus::dialect_of(stronger.arch))) way["litmus"] = *text;
    json["ways"].push_back(std::move(way));
  }
  return json;
}

Reply fences(State& state, JsonFields& fields) {
  Question question = question_fields(fields);
  desk::FencesOptions options;
  options.limits = question.limits;
  options.places = whole_field(fields, "places", options.places);
  options.tests = whole_field(fields, "tests", options.tests);
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (const base::Status ready = prepare(state, question); !ready) return ready.errors();
  const auto tests = litmus::read_tests(question.source);
  if (!tests) return tests.errors();
  Json found = base::json_array(), refused = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    for (const std::string& name : models_for(test, question)) {
      const base::Result<model::BatchJudge*> judge = state.judges.get(name);
      if (!judge) return judge.errors();
      const model::Model& model = (*judge)->model();
      if (const auto word = model::foreign_word(model, test)) {
        refused.push_back(refusal_json(test, name, *word, question.source));
      } else {
        found.push_back(fences_entry(test, name, desk::find_fences(test, model, options)));
      }
    }
  }
  return base::json_object({{"fences", std::move(found)}, {"refused", std::move(refused)}});
}

constexpr Operation kVerdictOperations[] = {{"models", models}, {"check", check}, {"fences", fences}};

}  // namespace

std::span<const Operation> verdict_operations() { return kVerdictOperations; }

}  // namespace weakspot::wasm
