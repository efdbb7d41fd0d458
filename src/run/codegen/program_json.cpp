// SPDX-License-Identifier: MIT
#include "codegen/program_json.h"

#include <fmt/format.h>

#include <limits>

#include "base/check.h"
#include "codegen/targets.h"

namespace weakspot::codegen {
namespace {

using base::JsonValue;

// The largest integer that a browser's numbers hold exactly.
constexpr std::uint64_t kMostExact = (std::uint64_t{1} << 53) - 1;
constexpr std::uint64_t kMostWord = std::numeric_limits<std::uint32_t>::max();

JsonValue numbers(const std::vector<std::uint32_t>& words) {
  JsonValue array = base::json_array();
  for (const std::uint32_t word : words) array.push_back(word);
  return array;
}

JsonValue entry_json(const Entry& entry) {
  JsonValue value = base::json_object();
  value.add("name", entry.name);
  value.add("workgroup_size", entry.workgroup_size);
  value.add("shared_bytes", entry.shared_bytes);
  value.add("buffers", numbers(entry.buffers));
  return value;
}

JsonValue buffer_json(const BufferSetup& buffer) {
  JsonValue value = base::json_object();
  value.add("words", buffer.words);
  if (!buffer.content.empty()) value.add("content", numbers(buffer.content));
  if (buffer.zero_first) value.add("zero_first", true);
  if (buffer.zero_each_round) value.add("zero_each_round", true);
  if (buffer.read_back) value.add("read_back", true);
  return value;
}

}  // namespace

JsonValue lines_json(const DeviceProgram& program) {
  JsonValue lines = base::json_array();
  for (const CodeLine& line : program.lines) {
    lines.push_back(
        base::json_object({{"line", line.line}, {"thread", line.thread}, {"instruction", line.instruction}}));
  }
  return lines;
}

JsonValue to_json(const DeviceProgram& program) {
  WEAKSPOT_CHECK(program.target == Target::wgsl);
  JsonValue value = base::json_object();
  value.add("format", 1);
  value.add("target", to_string(program.target));
  value.add("text", program.text);
  JsonValue entries = base::json_array();
  for (const Entry& entry : program.entries) entries.push_back(entry_json(entry));
  value.add("entries", std::move(entries));
  value.add("buffers", program.buffers);
  return value;
}

JsonValue to_json(const TestProgram& program) {
  JsonValue value = to_json(program.program());
  value.add("run_entry", program.run_entry());
  return value;
}

JsonValue to_json(const Launch& launch) {
  JsonValue value = base::json_object();
  JsonValue buffers = base::json_array();
  for (const BufferSetup& buffer : launch.buffers) buffers.push_back(buffer_json(buffer));
  value.add("buffers", std::move(buffers));
  JsonValue passes = base::json_array();
  for (const Pass& pass : launch.passes) {
    JsonValue one = base::json_object();
    one.add("entry", pass.entry);
    one.add("workgroups", pass.workgroups);
    passes.push_back(std::move(one));
  }
  value.add("passes", std::move(passes));
  value.add("rounds", launch.rounds);
  value.add("control", launch.control);
  value.add("round_word", launch.round_word);
  return value;
}

JsonValue to_json(const PlannedRun& run) {
  JsonValue value = base::json_object();
  value.add("launch", to_json(run.launch));
  value.add("instances_per_round", run.instances_per_round());
  value.add("iterations", run.iterations);
  value.add("workgroups", run.shape.workgroups);
  value.add("testing_workgroups", run.shape.testing);
  value.add("bytes", run.launch.bytes());
  return value;
}

TargetLimits webgpu_limits() {
  TargetLimits limits;
  limits.subgroup_size = 1;
  limits.max_workgroup_size = 256;
  limits.max_shared_bytes = 16 * 1024;
  limits.named_barriers = 0;
  return limits;
}

TargetLimits limits_from_json(base::JsonFields& fields) {
  TargetLimits limits = webgpu_limits();
  limits.max_workgroup_size = static_cast<std::uint32_t>(fields.whole("max_workgroup_size", kMostWord));
  limits.max_shared_bytes = static_cast<std::uint32_t>(fields.whole("max_shared_bytes", kMostWord));
  if (fields.has("loop_rounds"))
    limits.loop_rounds = static_cast<std::uint32_t>(fields.whole("loop_rounds", kMostWord));
  return limits;
}

PlanOptions plan_options_from_json(base::JsonFields& fields) {
  PlanOptions options;
  options.resident_workgroups = static_cast<std::uint32_t>(fields.whole("resident_workgroups", kMostWord));
  options.memory_bytes = fields.whole("memory_bytes", kMostExact);
  options.multiprocessors = static_cast<std::uint32_t>(fields.whole("multiprocessors", 1u << 16));
  options.rounds = static_cast<std::uint32_t>(fields.whole("rounds", kMostWord));
  options.most_instances = fields.whole("most_instances", kMostExact);
  const std::uint64_t seed = fields.whole("seed", std::numeric_limits<std::uint64_t>::max());
  options.seed = launch_seed(seed, fields.whole("launch", kMostExact));
  return options;
}

std::vector<std::vector<std::uint32_t>> buffers_from_json(base::JsonFields& fields, const Launch& launch) {
  const std::vector<JsonValue>& given = fields.list("buffers");
  std::vector<std::vector<std::uint32_t>> buffers(launch.buffers.size());
  if (given.size() != buffers.size()) {
    if (fields.has("buffers")) fields.unexpected("buffers", fmt::format("an array of {} buffers", buffers.size()));
    return buffers;
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const BufferSetup& setup = launch.buffers[i];
    const std::vector<JsonValue>& words = given[i].items();
    if (!setup.read_back) continue;
    if (!given[i].is(JsonValue::Kind::array) || words.size() > setup.words) {
      fields.mistake(&given[i], fmt::format("buffer {}: expected an array of at most {} words", i, setup.words));
      continue;
    }
    buffers[i].resize(setup.words);
    for (std::size_t word = 0; word < words.size(); ++word) {
      const std::optional<std::uint64_t> number = words[word].whole();
      if (!number || *number > kMostWord) {
        fields.mistake(&words[word], fmt::format("buffer {}: expected a word of 32 bits", i));
        break;
      }
      buffers[i][word] = static_cast<std::uint32_t>(*number);
    }
  }
  return buffers;
}

}  // namespace weakspot::codegen
