// SPDX-License-Identifier: MIT
// Code for devices, what a model expects of a run, and what the counts of one mean.
#include <fmt/format.h>

#include "base/nearest.h"
#include "base/source.h"
#include "codegen/program_json.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"
#include "codegen/test_program.h"
#include "core/operations/environment_field.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"
#include "litmus/text.h"
#include "questions/expected_outcomes.h"
#include "stats/rates.h"
#include "stats/reproducibility.h"

namespace weakspot::core {
namespace {

using Json = base::JsonValue;

constexpr std::string_view kSpirvText = "spirv-asm";

// A device that can do everything.
codegen::TargetLimits able_limits() {
  codegen::TargetLimits limits;
  limits.ptx_arch = 90;
  limits.max_cluster = 8;
  return limits;
}

base::Result<codegen::Target> target_field(JsonFields& fields) {
  const std::string name = text_field(fields, "target", "wgsl");
  if (name == kSpirvText) return codegen::Target::spirv;
  if (const std::optional<codegen::Target> target = codegen::target_named(name)) return *target;
  return base::error(fmt::format("unknown target '{}'; expected {}, or {}{}", name, codegen::target_names(), kSpirvText,
                                 base::did_you_mean(name, codegen::target_words())));
}

base::Result<Json> code_json(const litmus::LitmusTest& test, const codegen::DeviceProgram& program) {
  const base::Result<std::string> text =
      program.target == codegen::Target::spirv ? codegen::spirv_text(program.words) : program.text;
  if (!text) return text.errors();
  Json entries = base::json_array();
  for (const codegen::Entry& entry : program.entries) {
    Json buffers = base::json_array();
    for (const std::uint32_t number : entry.buffers) buffers.push_back(number);
    entries.push_back(base::json_object({{"name", entry.name},
                                         {"workgroup_size", entry.workgroup_size},
                                         {"shared_bytes", entry.shared_bytes},
                                         {"buffers", std::move(buffers)}}));
  }
  return base::json_object({{"test", test.name},
                            {"target", codegen::to_string(program.target)},
                            {"text", *text},
                            {"lines", codegen::lines_json(program)},
                            {"entries", std::move(entries)},
                            {"buffers", program.buffers}});
}

Json classes_json(const litmus::LitmusTest& test, const stats::Expected& expected) {
  litmus::OutcomeSet known = expected.allowed.outcomes;
  for (const stats::Reachable* more : {&expected.consistent, &expected.sequential}) {
    known.insert(more->outcomes.begin(), more->outcomes.end());
  }
  const litmus::OutcomeReader reader(test);
  Json outcomes = base::json_array();
  for (const litmus::Outcome& outcome : known) {
    std::string text;
    reader.append_text(text, outcome);
    const bool matches = reader.satisfies(outcome);
    outcomes.push_back(base::json_object(
        {{"outcome", text}, {"class", stats::to_string(classify(expected, outcome, matches))}, {"matches", matches}}));
  }
  return base::json_object({{"model", expected.model},
                            {"remark", expected.remark},
                            {"outcomes", std::move(outcomes)},
                            {"otherwise", stats::to_string(expected.allowed.complete ? stats::OutcomeClass::forbidden
                                                                                     : stats::OutcomeClass::unknown)}});
}

}  // namespace

Reply emit(State&, JsonFields& fields) {
  const base::Source source = source_field(fields);
  const base::Result<codegen::Target> target = target_field(fields);
  if (!target) return target.errors();
  const base::Result<codegen::TestEnvironment> environment = environment_field(fields, "environment", "basic");
  if (!environment) return environment.errors();
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  Json array = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    const auto program = codegen::TestProgram::compile(test, *environment, *target, able_limits());
    if (!program) return program.errors();
    const base::Result<Json> code = code_json(test, program->program());
    if (!code) return code.errors();
    array.push_back(*code);
  }
  return array;
}

Reply classify_outcomes(State&, JsonFields& fields) {
  const base::Source source = source_field(fields);
  const bool on_device = fields.has("target");
  const base::Result<codegen::Target> target = target_field(fields);
  if (!target) return target.errors();
  const std::string model = text_field(fields, "model");
  const model::Limits limits = limits_field(fields);
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  const questions::Platform platform{*target, able_limits()};
  questions::ExpectedOutcomes outcomes(
      model, {.seconds = static_cast<double>(limits.time.count()) / 1000, .memory = limits.memory});
  Json array = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    const base::Result<stats::Expected> expected = outcomes.of(test, on_device ? &platform : nullptr);
    if (!expected) return expected.errors();
    array.push_back(classes_json(test, *expected));
  }
  return array;
}

Reply statistics(State&, JsonFields& fields) {
  constexpr double kMost = 9e15;
  const std::uint64_t count = whole_field(fields, "count", 0);
  const std::uint64_t instances = whole_field(fields, "instances", 0);
  const double seconds = real_field(fields, "seconds", 0, 0, kMost);
  const double confidence = real_field(fields, "confidence", stats::kConfidence, 0.5, 0.9999);
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (count > instances) return base::error("'count' is greater than 'instances'");
  const stats::Rate rate = stats::per_second(count, seconds, confidence);
  const stats::Rate fraction = stats::fraction(count, instances, confidence);
  return base::json_object({{"rate", rate.value},
                            {"rate_low", rate.interval.low},
                            {"rate_high", rate.interval.high},
                            {"fraction", fraction.value},
                            {"fraction_low", fraction.interval.low},
                            {"fraction_high", fraction.interval.high},
                            {"reproducibility", stats::reproducibility(static_cast<double>(count))}});
}

}  // namespace weakspot::core
