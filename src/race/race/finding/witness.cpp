// SPDX-License-Identifier: MIT
#include "race/witness.h"

#include <limits>

#include "race/finding/fact_words.h"

namespace weakspot::race {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;
using base::Mistakes;

constexpr std::uint64_t kMostNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostWord = std::numeric_limits<std::uint32_t>::max();

std::uint32_t word_of(JsonFields& fields, std::string_view key) {
  return static_cast<std::uint32_t>(fields.whole(key, kMostWord));
}

JsonValue step_json(const WitnessStep& step) {
  JsonValue json;
  json["what"] = step_word(step.kind);
  if (step.is_access()) json["location"] = static_cast<std::uint64_t>(step.location);
  if (step.order != StepOrder::none) json["order"] = base::name_of(kOrderWords, step.order);
  if (step.scope) json["scope"] = base::name_of(kScopeWords, *step.scope);
  if (step.is_volatile) json["volatile"] = true;
  if (step.polls) json["polls"] = true;
  if (step.partial) json["partial"] = true;
  json["number"] = step.number;
  json["file"] = step.place.file;
  json["line"] = step.place.line;
  json["column"] = step.place.column;
  return json;
}

WitnessStep read_step(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a step");
  WitnessStep step;
  step.kind = needed_word(fields, "what", kStepWords);
  if (step.is_access()) step.location = fields.whole("location", kMostWord);
  step.order = fields.one_of("order", kOrderWords).value_or(StepOrder::none);
  step.scope = fields.one_of("scope", kScopeWords);
  step.is_volatile = fields.truth("volatile");
  step.polls = fields.truth("polls");
  step.partial = fields.truth("partial");
  step.number = fields.whole("number", kMostNumber);
  step.place.file = fields.text("file");
  step.place.line = word_of(fields, "line");
  step.place.column = word_of(fields, "column");
  return step;
}

}  // namespace

JsonValue to_json(const Witness& witness) {
  JsonValue locations = json_array(), threads = json_array(), links = json_array();
  for (const WitnessLocation& location : witness.locations) {
    locations.push_back(json_object({{"variable", variable_text(location.variable)},
                                     {"space", space_word(location.space)},
                                     {"size", location.size}}));
  }
  for (const WitnessThread& thread : witness.threads) {
    JsonValue steps = json_array();
    for (const WitnessStep& step : thread.steps) steps.push_back(step_json(step));
    JsonValue one = json_object({{"name", thread_text(thread.index)}, {"block", thread.block}, {"warp", thread.warp}});
    one["steps"] = std::move(steps);
    threads.push_back(std::move(one));
  }
  for (const Witness::Link& link : witness.links) {
    links.push_back(json_object({{"from", link.from}, {"to", link.to}}));
  }
  JsonValue json;
  json["locations"] = std::move(locations);
  json["threads"] = std::move(threads);
  json["links"] = std::move(links);
  if (witness.on_signal) json["on_signal"] = true;
  return json;
}

Witness read_witness(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a witness");
  Witness witness;
  for (const JsonValue& one : fields.list("locations")) {
    JsonFields location(one, mistakes, "a location");
    WitnessLocation& read = witness.locations.emplace_back();
    read.variable = read_variable(location.text("variable"));
    read.space = needed_word(location, "space", kSpaceWords);
    read.size = word_of(location, "size");
  }
  for (const JsonValue& one : fields.list("threads")) {
    JsonFields part(one, mistakes, "a thread");
    WitnessThread thread;
    const std::string name = part.text("name");
    if (std::optional<ThreadIndex> index = read_thread(name)) {
      thread.index = *std::move(index);
    } else if (!name.empty()) {
      part.unexpected("name", "a thread as in 'threadIdx=3 blockIdx=0'");
    }
    thread.block = word_of(part, "block");
    thread.warp = word_of(part, "warp");
    for (const JsonValue& step : part.list("steps")) thread.steps.push_back(read_step(step, mistakes));
    witness.threads.push_back(std::move(thread));
  }
  for (const JsonValue& one : fields.list("links")) {
    JsonFields link(one, mistakes, "a link");
    witness.links.push_back({link.whole("from", kMostNumber), link.whole("to", kMostNumber)});
  }
  witness.on_signal = fields.truth("on_signal");
  return witness;
}

JsonValue to_json(const Distilled& distilled) {
  JsonValue repair = json_array();
  for (const std::string& change : distilled.repair) repair.push_back(change);
  JsonValue json;
  json["test"] = distilled.test;
  json["repaired"] = distilled.repaired;
  json["model"] = distilled.model;
  json["verdict"] = distilled.verdict;
  json["repaired_verdict"] = distilled.repaired_verdict;
  json["repair"] = std::move(repair);
  json["problem"] = distilled.problem;
  json["disagrees"] = distilled.disagrees;
  return json;
}

Distilled read_distilled(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the tests of a finding");
  Distilled distilled;
  distilled.test = fields.text("test");
  distilled.repaired = fields.text("repaired");
  distilled.model = fields.text("model");
  distilled.verdict = fields.text("verdict");
  distilled.repaired_verdict = fields.text("repaired_verdict");
  distilled.repair = fields.texts("repair");
  distilled.problem = fields.text("problem");
  distilled.disagrees = fields.flag("disagrees");
  return distilled;
}

}  // namespace weakspot::race
