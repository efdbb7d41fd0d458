// SPDX-License-Identifier: MIT
// Models, verdicts with their explanations and pictures, and what would forbid an outcome.
#include <fmt/format.h>

#include "base/source.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"
#include "json/diagnostic_json.h"
#include "litmus/text.h"
#include "model/picture.h"
#include "questions/fences_json.h"
#include "questions/test_verdict.h"

namespace weakspot::core {
namespace {

using Json = base::JsonValue;

base::Status list_models_once(State& state) {
  if (!state.models.empty()) return base::ok_status();
  base::Result<std::vector<model::ModelEntry>> entries = model::list_models();
  if (!entries) return entries.errors();
  state.models = *std::move(entries);
  return base::ok_status();
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
    state.shelf.put(own.key, *compiled);
  }
  if (question.models != std::vector<std::string>{"all"}) return base::ok_status();
  if (const base::Status listed = list_models_once(state); !listed) return listed.errors();
  question.models.clear();
  for (const model::ModelEntry& entry : state.models) question.models.push_back(entry.name);
  return base::ok_status();
}

Json refusal_json(const litmus::LitmusTest& test, const std::string& model, const model::ForeignWord& word,
                  const base::Source& source) {
  const bool located = word.span.begin < word.span.end && word.span.end <= source.text().size();
  Json json = base::json_object({{"test", test.name}, {"model", model}});
  const Json where =
      error_json(located ? base::error_at(source, word.span, word.why()) : base::error_in(source.name(), word.why()));
  for (const base::JsonMember& member : where.members()) json[member.key] = member.value;
  return json;
}

// Asks about each test of the request, whose fields have all been taken. Returns the refusals.
base::Result<Json> ask_models(State& state, JsonFields& fields, Question& question,
                              const std::function<void(const questions::TestAndModel&)>& ask) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (const base::Status ready = prepare(state, question); !ready) return ready.errors();
  const auto tests = litmus::read_tests(question.source);
  if (!tests) return tests.errors();
  Json refused = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    const base::Status asked =
        questions::ask_models(state.shelf, test, question.models, nullptr, ask,
                              [&](const std::string& model, const model::ForeignWord& word) {
                                refused.push_back(refusal_json(test, model, word, question.source));
                              });
    if (!asked) return asked.errors();
  }
  return refused;
}

struct CheckOptions {
  model::JudgeOptions judge;
  bool explain = false;
  bool picture = false;
  std::string outcome;  // to ask about in place of the condition
};

// The order in which an execution can be told, and which of its events the arrows of the picture join.
void add_story(Json& json, const model::Picture& picture) {
  Json steps = base::json_array(), arrows = base::json_array();
  for (const model::PictureStep& step : picture.steps) {
    steps.push_back(base::json_object({{"event", step.event},
                                       {"letter", picture.events[step.event].letter},
                                       {"words", step.words},
                                       {"remarkable", step.remarkable}}));
  }
  for (const model::PictureArrow& arrow : picture.arrows) {
    Json ends = base::json_array();
    ends.push_back(arrow.from);
    ends.push_back(arrow.to);
    arrows.push_back(std::move(ends));
  }
  json["steps"] = std::move(steps);
  json["arrows"] = std::move(arrows);
}

Json verdict_entry(const questions::TestVerdict& judged, const CheckOptions& options) {
  Json json = questions::verdict_json(judged);
  if (options.explain) json["explanation"] = questions::explanation(judged, options.judge.limits);
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
  if (!picture) return json;
  json["svg"] = model::svg_picture(*picture);
  add_story(json, *picture);
  return json;
}

// The test, asking for one of its outcomes; none if no model has an outcome of that text.
std::optional<litmus::LitmusTest> asking_for(const litmus::LitmusTest& test, const litmus::OutcomeSet& outcomes,
                                             const std::string& text) {
  for (const litmus::Outcome& outcome : outcomes) {
    if (litmus::outcome_text(test, outcome) != text) continue;
    const std::vector<litmus::Observable> observed = test.observed();
    std::vector<litmus::Proposition> parts;
    for (std::size_t i = 0; i < observed.size(); ++i) parts.push_back(litmus::equals(observed[i], outcome[i]));
    litmus::LitmusTest asking = test;
    asking.condition = {litmus::Condition::Quantifier::exists, litmus::all_of(std::move(parts))};
    asking.expectations.clear();
    return asking;
  }
  return std::nullopt;
}

Json fences_entry(const litmus::LitmusTest& test, const std::string& name, const questions::Fences& fences) {
  Json json = questions::fences_json({test, name, fences});
  Json ways = base::json_array();
  for (std::size_t i = 0; i < fences.ways.size(); ++i) {
    Json way = json.at("ways").at(i);
    const litmus::LitmusTest& stronger = fences.ways[i].test;
    if (const auto text = litmus::print(stronger, litmus::dialect_of(stronger.arch))) way["litmus"] = *text;
    ways.push_back(std::move(way));
  }
  json["ways"] = std::move(ways);
  return json;
}

}  // namespace

Reply models(State& state, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (const base::Status listed = list_models_once(state); !listed) return listed.errors();
  Json array = base::json_array();
  for (const model::ModelEntry& entry : state.models) array.push_back(questions::model_json(entry));
  return array;
}

Reply model(State&, JsonFields& fields) {
  const std::string name = text_field(fields, "name");
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto text = model::built_in_text(name);
  if (!text) return base::error(fmt::format("there is no model '{}'", name));
  return base::json_object({{"name", name}, {"text", *text}});
}

Reply check(State& state, JsonFields& fields) {
  Question question = question_fields(fields);
  CheckOptions options;
  options.explain = fields.truth("explain");
  options.picture = fields.truth("picture");
  options.outcome = text_field(fields, "outcome");
  options.judge = {.limits = question.limits,
                   .condition_only = fields.truth("condition_only"),
                   .explain = options.explain || options.picture};
  Json verdicts = base::json_array(), contradicted = base::json_array();
  base::Status outcome_known = base::ok_status();
  base::Result<Json> refused = ask_models(state, fields, question, [&](const questions::TestAndModel& asked) {
    std::optional<litmus::LitmusTest> asking;
    if (!options.outcome.empty()) {
      const model::Verdict all = asked.judge.judge(asked.test, {.limits = question.limits});
      asking = asking_for(asked.test, all.outcomes, options.outcome);
      if (!asking) {
        outcome_known = base::error(fmt::format("{} is not known to allow the outcome '{}' of {}", asked.model_name,
                                                options.outcome, asked.test.name));
        return;
      }
    }
    const questions::TestAndModel about{asking ? *asking : asked.test, asked.model_name, asked.judge};
    const questions::TestVerdict judged = questions::judge(about, question.source.name(), options.judge);
    verdicts.push_back(verdict_entry(judged, options));
    if (judged.contradicted) contradicted.push_back(base::json_object({{"message", judged.contradicted->text()}}));
  });
  if (!refused) return refused.errors();
  if (!outcome_known) return outcome_known.errors();
  return base::json_object(
      {{"verdicts", std::move(verdicts)}, {"refused", *std::move(refused)}, {"contradicted", std::move(contradicted)}});
}

Reply fences(State& state, JsonFields& fields) {
  Question question = question_fields(fields);
  questions::FencesOptions options;
  options.limits = question.limits;
  options.places = whole_field(fields, "places", options.places);
  options.tests = whole_field(fields, "tests", options.tests);
  Json found = base::json_array();
  base::Result<Json> refused = ask_models(state, fields, question, [&](const questions::TestAndModel& asked) {
    const questions::Fences fences = questions::find_fences(asked.test, asked.judge.model(), options);
    found.push_back(fences_entry(asked.test, asked.model_name, fences));
  });
  if (!refused) return refused.errors();
  return base::json_object({{"fences", std::move(found)}, {"refused", *std::move(refused)}});
}

}  // namespace weakspot::core
