// SPDX-License-Identifier: MIT
// Tests that run on the page's own device: programs, launches, and the words that come back.
#include <fmt/format.h>

#include "base/source.h"
#include "codegen/program_json.h"
#include "core/operations/environment_field.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"
#include "litmus/text.h"
#include "questions/expected_outcomes.h"

namespace weakspot::core {
namespace {

using Json = base::JsonValue;

constexpr std::size_t kMostPrograms = 64;

base::Result<litmus::LitmusTest> only_test(const base::Source& source) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  if (tests->size() != 1)
    return base::error_in(source.name(), fmt::format("expected one test, found {}", tests->size()));
  return std::move(tests->front());
}

codegen::TargetLimits device_field(JsonFields& fields) {
  const Json* given = fields.take("device", Json::Kind::object);
  if (given == nullptr) return codegen::webgpu_limits();
  // A description says more than generated code depends on.
  JsonFields inner(*given, fields.mistakes(), "a device");
  return codegen::limits_from_json(inner);
}

base::Result<RunningTest*> handle_field(State& state, JsonFields& fields) {
  const std::uint64_t handle = fields.whole("handle", std::uint64_t{1} << 53);
  const auto found = state.programs.find(handle);
  if (found == state.programs.end()) return base::error(fmt::format("there is no program {}", handle));
  return &found->second;
}

Json decoded_json(const RunningTest& running, const codegen::Decoded& decoded) {
  const litmus::OutcomeReader reader(running.test);
  Json outcomes = base::json_array();
  for (const auto& [outcome, count] : decoded.histogram.counts()) {
    std::string text;
    reader.append_text(text, outcome);
    const bool matches = reader.satisfies(outcome);
    outcomes.push_back(base::json_object({{"outcome", text},
                                          {"count", count},
                                          {"class", stats::to_string(classify(running.expected, outcome, matches))},
                                          {"matches", matches}}));
  }
  return base::json_object({{"instances", decoded.instances},
                            {"unfinished", decoded.unfinished},
                            {"barrier_timeouts", decoded.barrier_timeouts},
                            {"model", running.expected.model},
                            {"remark", running.expected.remark},
                            {"outcomes", std::move(outcomes)}});
}

}  // namespace

Reply compile(State& state, JsonFields& fields) {
  const base::Source source = source_field(fields);
  const base::Result<codegen::TestEnvironment> environment = environment_field(fields, "environment", "basic");
  if (!environment) return environment.errors();
  const codegen::TargetLimits limits = device_field(fields);
  const std::string model = text_field(fields, "model");
  const model::Limits judging_limits = limits_field(fields);
  if (const base::Status good = finished(fields); !good) return good.errors();
  if (state.programs.size() >= kMostPrograms) return base::error("too many programs; release some");
  base::Result<litmus::LitmusTest> test = only_test(source);
  if (!test) return test.errors();
  const base::Result<codegen::TestProgram> program =
      codegen::TestProgram::compile(*test, *environment, codegen::Target::wgsl, limits);
  if (!program) return program.errors();
  const questions::Platform platform{codegen::Target::wgsl, limits};
  const double seconds = static_cast<double>(judging_limits.time.count()) / 1000;
  questions::ExpectedOutcomes outcomes(model, {.seconds = seconds, .memory = judging_limits.memory});
  base::Result<stats::Expected> expected = outcomes.of(*test, &platform);
  if (!expected) return expected.errors();
  const std::uint64_t handle = ++state.last_handle;
  Json json = base::json_object({{"handle", handle}, {"program", codegen::to_json(*program)}});
  state.programs.emplace(handle, RunningTest{*std::move(test), *program, *std::move(expected), {}});
  return json;
}

Reply plan(State& state, JsonFields& fields) {
  const base::Result<RunningTest*> running = handle_field(state, fields);
  if (!running) return running.errors();
  codegen::PlanOptions options;
  if (const Json* given = fields.take("options", Json::Kind::object, true)) {
    JsonFields inner(*given, fields.mistakes(), "options of a plan");
    options = codegen::plan_options_from_json(inner);
  }
  if (const base::Status good = finished(fields); !good) return good.errors();
  base::Result<codegen::PlannedRun> planned = (*running)->program.plan(options);
  if (!planned) return planned.errors();
  (*running)->planned = *std::move(planned);
  return codegen::to_json(*(*running)->planned);
}

Reply decode(State& state, JsonFields& fields) {
  const base::Result<RunningTest*> running = handle_field(state, fields);
  if (!running) return running.errors();
  if (!(*running)->planned) return base::error("nothing was planned yet");
  const codegen::PlannedRun& planned = *(*running)->planned;
  const std::vector<std::vector<std::uint32_t>> buffers = codegen::buffers_from_json(fields, planned.launch);
  if (const base::Status good = finished(fields); !good) return good.errors();
  const base::Result<codegen::Decoded> decoded = (*running)->program.decode(planned, buffers);
  if (!decoded) return decoded.errors();
  return decoded_json(**running, *decoded);
}

Reply release(State& state, JsonFields& fields) {
  const std::uint64_t handle = fields.whole("handle", std::uint64_t{1} << 53);
  if (const base::Status good = finished(fields); !good) return good.errors();
  return Json(state.programs.erase(handle) != 0);
}

}  // namespace weakspot::core
