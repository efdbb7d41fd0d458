// SPDX-License-Identifier: MIT
// Environments: the table of their parameters, one in full, random ones.
#include "codegen/random_environment.h"
#include "codegen/sweep.h"
#include "wasm/environment_field.h"
#include "wasm/fields.h"
#include "wasm/operations.h"

namespace weakspot::wasm {
namespace {

using codegen::Parameter;
using Json = base::JsonValue;

std::string_view kind_word(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::number:
      return "number";
    case Parameter::Kind::percent:
      return "percent";
    case Parameter::Kind::power_of_two:
      return "power_of_two";
    case Parameter::Kind::choice:
      return "choice";
  }
  return "";
}

Json parameter_json(const Parameter& parameter) {
  const bool choice = parameter.kind == Parameter::Kind::choice;
  Json choices = base::json_array();
  for (const std::string_view word : parameter.choices) choices.push_back(word);
  const int value = parameter.default_value();
  Json json;
  json["name"] = parameter.name;
  json["group"] = parameter.group;
  json["kind"] = kind_word(parameter.kind);
  json["low"] = parameter.low;
  json["high"] = parameter.high;
  json["automatic"] = parameter.zero_is_automatic;
  json["choices"] = std::move(choices);
  json["default"] = choice ? Json(parameter.value_text(value)) : Json(value);
  json["range"] = parameter.range_text();
  json["meaning"] = parameter.meaning;
  return json;
}

Reply environments(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  Json parameters = base::json_array(), presets = base::json_array(), sweep = base::json_array();
  for (const Parameter& parameter : codegen::parameters()) parameters.push_back(parameter_json(parameter));
  for (const codegen::Preset& preset : codegen::presets()) {
    presets.push_back(base::json_object(
        {{"name", preset.name}, {"meaning", preset.meaning}, {"environment", codegen::to_json(preset.environment)}}));
  }
  for (const std::string_view text : codegen::default_sweep_texts(codegen::SweepFor::gpu)) sweep.push_back(text);
  return base::json_object(
      {{"parameters", std::move(parameters)}, {"presets", std::move(presets)}, {"sweep", std::move(sweep)}});
}

Json environment_json(const codegen::TestEnvironment& environment) {
  return base::json_object({{"text", codegen::to_text(environment)}, {"environment", codegen::to_json(environment)}});
}

Reply environment(State&, JsonFields& fields) {
  const base::Result<codegen::TestEnvironment> read = environment_field(fields, "environment", "basic");
  if (!read) return read.errors();
  if (const base::Status good = finished(fields); !good) return good.errors();
  return environment_json(*read);
}

constexpr std::uint64_t kMostDrawn = 10'000;

Reply draw_environments(State&, JsonFields& fields) {
  const base::Result<codegen::TestEnvironment> around = environment_field(fields, "around", "pte");
  if (!around) return around.errors();
  const std::uint64_t seed = whole_field(fields, "seed", 1);
  const std::uint64_t from = std::min(whole_field(fields, "from", 0), kMostDrawn);
  const std::uint64_t count = std::min(whole_field(fields, "count", 1), kMostDrawn);
  codegen::DrawLimits limits;
  limits.workgroups = static_cast<int>(real_field(fields, "max_workgroups", limits.workgroups, 2, 1e6));
  limits.workgroup_size = static_cast<int>(real_field(fields, "max_workgroup_size", limits.workgroup_size, 1, 1024));
  if (const base::Status good = finished(fields); !good) return good.errors();
  base::Rng rng(seed);
  Json array = base::json_array();
  for (std::uint64_t i = 0; i < from + count; ++i) {
    const codegen::TestEnvironment drawn = codegen::draw_environment(rng, *around, limits);
    if (i >= from) array.push_back(environment_json(drawn));
  }
  return array;
}

constexpr Operation kEnvironmentOperations[] = {
    {"environments", environments},
    {"environment", environment},
    {"draw_environments", draw_environments},
};

}  // namespace

base::Result<codegen::TestEnvironment> environment_field(JsonFields& fields, std::string_view key,
                                                         std::string_view otherwise) {
  const Json* value = fields.take(key);
  if (value != nullptr && value->is(Json::Kind::object)) {
    std::optional<codegen::TestEnvironment> read = codegen::environment_from_json(*value, fields.mistakes());
    if (!read) return fields.mistakes().take();
    return *std::move(read);
  }
  if (value != nullptr && !value->is(Json::Kind::string)) {
    fields.unexpected(key, "the text of an environment, or an object");
    return fields.mistakes().take();
  }
  const std::string text = value == nullptr ? std::string(otherwise) : value->text();
  return codegen::parse_environment(base::Source("environment", text));
}

std::span<const Operation> environment_operations() { return kEnvironmentOperations; }

}  // namespace weakspot::wasm
