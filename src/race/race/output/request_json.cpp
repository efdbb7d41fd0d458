// SPDX-License-Identifier: MIT
// What a process is asked, as JSON between processes.
#include <fmt/format.h>

#include "base/source.h"
#include "json/json_fields.h"
#include "race/classes.h"
#include "race/finding/fact_words.h"
#include "race/output/place_json.h"
#include "race/request.h"

namespace weakspot::race {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;
using base::Mistakes;

constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 40;  // MiB

JsonValue extent_json(const Extent& extent) { return json_array({extent.x, extent.y, extent.z}); }

Extent extent_in(JsonFields& fields, std::string_view key) {
  const std::vector<JsonValue>& sizes = fields.list(key);
  std::uint32_t read[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t size = i < sizes.size() ? sizes[i].whole().value_or(kAnyNumber) : kAnyNumber;
    if (size > kAnyWord || sizes.size() != 3) {
      if (fields.has(key)) fields.mistake(fields.take(key), fmt::format("'{}': expected three integers", key));
      return {};
    }
    read[i] = static_cast<std::uint32_t>(size);
  }
  return {read[0], read[1], read[2]};
}

JsonValue launch_json(const LaunchSpec& launch) {
  JsonValue arguments = json_array();
  for (const ArgumentSpec& argument : launch.arguments) {
    JsonValue values = json_array();
    for (const double value : argument.values) values.push_back(value);
    JsonValue entry = json_object({{"name", argument.name},
                                   {"type", argument.type},
                                   {"value", argument.value},
                                   {"fill", argument.fill},
                                   {"values", std::move(values)}});
    if (argument.count) entry.add("count", *argument.count);
    if (!argument.file.empty()) entry.add("file", argument.file);
    arguments.push_back(std::move(entry));
  }
  return json_object({{"kernel", launch.kernel},
                      {"grid", extent_json(launch.grid)},
                      {"block", extent_json(launch.block)},
                      {"cluster", extent_json(launch.cluster)},
                      {"shared", launch.shared},
                      {"cooperative", launch.cooperative},
                      {"arguments", std::move(arguments)}});
}

std::vector<double> reals_in(JsonFields& fields, std::string_view key) {
  std::vector<double> reals;
  for (const JsonValue& item : fields.list(key)) {
    const std::optional<double> real = item.real();
    if (!real) fields.mistake(&item, fmt::format("'{}': expected a number", key));
    reals.push_back(real.value_or(0));
  }
  return reals;
}

LaunchSpec read_launch(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a launch");
  LaunchSpec launch;
  launch.kernel = fields.text("kernel");
  launch.grid = extent_in(fields, "grid");
  launch.block = extent_in(fields, "block");
  launch.cluster = extent_in(fields, "cluster");
  launch.shared = fields.whole("shared", kAnyNumber);
  launch.cooperative = fields.flag("cooperative");
  for (const JsonValue& one : fields.list("arguments")) {
    JsonFields entry(one, mistakes, "an argument");
    ArgumentSpec argument;
    argument.name = entry.text("name");
    argument.type = entry.text("type");
    argument.value = entry.text("value");
    argument.fill = entry.text("fill");
    argument.values = reals_in(entry, "values");
    if (entry.has("count")) argument.count = entry.whole("count", kAnyNumber);
    argument.file = entry.string("file").value_or("");
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

}  // namespace

std::string to_json(const Request& request) {
  JsonValue launches = json_array();
  for (const LaunchSpec& launch : request.launches) launches.push_back(launch_json(launch));
  std::vector<JsonValue> named;
  for (const NamedLocation& name : request.named) {
    named.push_back(json_object({{"name", name.name}, {"index", name.index}}));
  }
  JsonValue json = json_object({{"file", request.file},
                                {"compiler_arguments", request.compiler_arguments},
                                {"launches", std::move(launches)},
                                {"program", request.program},
                                {"no_program", request.no_program},
                                {"trust", request.trust},
                                {"memory", request.memory},
                                {"program_arguments", request.program_arguments},
                                {"command", request.command},
                                {"read", request.read},
                                {"kernel", request.kernel},
                                {"lockstep", request.lockstep},
                                {"hip", request.hip},
                                {"gpu", request.gpu},
                                {"wave", request.wave},
                                {"check", request.check},
                                {"plain_checker", request.plain_checker},
                                {"trace", request.trace},
                                {"mutants", request.mutants},
                                {"weak", request.weak},
                                {"weak_runs", request.weak_runs},
                                {"expected", request.expected},
                                {"values", request.values},
                                {"capture", request.capture},
                                {"residual", request.residual},
                                {"named", base::json_array(std::move(named))},
                                {"seed", request.seed},
                                {"schedules", request.schedules},
                                {"jobs", request.jobs},
                                {"seconds", request.seconds},
                                {"compile_seconds", request.compile_seconds},
                                {"headers", request.headers},
                                {"cuda_path", request.cuda_path},
                                {"clang", request.clang},
                                {"front", front_word(request.front)}});
  if (request.schedule) json.add("schedule", schedule_text(*request.schedule));
  if (request.runs) json.add("runs", *request.runs);
  if (request.text) json.add("text", *request.text);
  if (request.weak_run) json.add("weak_run", *request.weak_run);
  if (request.architecture) json.add("architecture", architecture_name(*request.architecture));
  return base::json_indented(json);
}

base::Result<Request> request_from_json(const std::string& text) {
  const base::Source source("request", text);
  Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  if (!json) return mistakes.take();
  JsonFields fields(*json, mistakes, "the request");
  Request request;
  request.file = fields.text("file");
  request.compiler_arguments = fields.texts("compiler_arguments");
  for (const JsonValue& launch : fields.list("launches")) request.launches.push_back(read_launch(launch, mistakes));
  request.program = fields.flag("program");
  request.no_program = fields.flag("no_program");
  request.trust = fields.flag("trust");
  request.memory = fields.whole("memory", kMostMemory);
  request.program_arguments = fields.texts("program_arguments");
  request.command = fields.texts("command");
  request.read = fields.texts("read");
  request.kernel = fields.text("kernel");
  request.lockstep = fields.flag("lockstep");
  request.hip = fields.flag("hip");
  request.gpu = fields.text("gpu");
  request.wave = static_cast<unsigned>(fields.whole("wave", 64));
  request.check = fields.flag("check");
  request.plain_checker = fields.flag("plain_checker");
  request.trace = fields.flag("trace");
  request.values = fields.flag("values");
  request.capture = fields.flag("capture");
  request.residual = fields.flag("residual");
  if (fields.has("text")) request.text = fields.text("text");
  for (const JsonValue& name : fields.list("named")) {
    request.named.push_back({name.at("name").text(), name.at("index").whole().value_or(0)});
  }
  request.mutants = fields.flag("mutants");
  request.weak = fields.flag("weak");
  request.weak_runs = fields.whole("weak_runs", kAnyNumber);
  request.expected = fields.texts("expected");
  if (fields.has("weak_run")) request.weak_run = fields.whole("weak_run", kAnyNumber);
  request.seed = fields.whole("seed", kAnyNumber);
  request.schedules = word_in(fields, "schedules");
  request.jobs = word_in(fields, "jobs");
  request.seconds = fields.real("seconds", 0, kAnyTime);
  request.compile_seconds = fields.real("compile_seconds", 0, kAnyTime);
  if (const std::optional<std::string_view> name = fields.string("schedule")) {
    base::Result<ScheduleChoice> schedule = parse_schedule(std::string(*name));
    if (!schedule) return schedule.errors();
    request.schedule = *schedule;
  }
  if (fields.has("runs")) request.runs = fields.whole("runs", kAnyNumber);
  if (const std::optional<std::string_view> name = fields.string("architecture")) {
    base::Result<Architecture> architecture = parse_architecture(*name);
    if (!architecture) return architecture.errors();
    request.architecture = *architecture;
  }
  request.headers = fields.text("headers");
  request.cuda_path = fields.text("cuda_path");
  request.clang = fields.text("clang");
  request.front = needed_word(fields, "front", kFrontWords);
  if (mistakes.any()) return mistakes.take();
  return request;
}

}  // namespace weakspot::race
