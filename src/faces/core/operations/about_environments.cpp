// SPDX-License-Identifier: MIT
// Environments: the table of their parameters, one in full, random ones.
#include "base/source.h"
#include "codegen/random_environment.h"
#include "codegen/sweep.h"
#include "core/operations/environment_field.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"

namespace weakspot::core {
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
  return base::json_object({{"name", parameter.name},
                            {"group", parameter.group},
                            {"kind", kind_word(parameter.kind)},
                            {"low", parameter.low},
                            {"high", parameter.high},
                            {"automatic", parameter.zero_is_automatic},
                            {"choices", std::move(choices)},
                            {"default", choice ? Json(parameter.value_text(value)) : Json(value)},
                            {"range", parameter.range_text()},
                            {"meaning", parameter.meaning}});
}

Json environment_json(const codegen::TestEnvironment& environment) {
  return base::json_object({{"text", codegen::to_text(environment)}, {"environment", codegen::to_json(environment)}});
}

constexpr std::uint64_t kMostDrawn = 10'000;

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

Reply environment(State&, JsonFields& fields) {
  const base::Result<codegen::TestEnvironment> read = environment_field(fields, "environment", "basic");
  if (!read) return read.errors();
  if (const base::Status good = finished(fields); !good) return good.errors();
  return environment_json(*read);
}

Reply draw_environments(State&, JsonFields& fields) {
  const base::Result<codegen::TestEnvironment> around = environment_field(fields, "around", "pte");
  if (!around) return around.errors();
  const std::uint64_t seed = whole_field(fields, "seed", 1);
  const std::uint64_t from = std::min(whole_field(fields, "from", 0), kMostDrawn);
  const std::uint64_t count = std::min(whole_field(fields, "count", 1), kMostDrawn);
  codegen::DrawLimits limits;
  real_field(fields, "max_workgroups", 1024, 2, 1e6);  // drawn environments fill the device: it changes nothing
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

}  // namespace weakspot::core
