// SPDX-License-Identifier: MIT
#include "codegen/cpu/build_cpu_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/cpu/cpu_writer.h"
#include "codegen/harness/role_code.h"
#include "codegen/harness/support.h"

namespace weakspot::codegen {
namespace {

constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kMostSliceBytes = std::uint64_t{1} << 31;

std::uint64_t whole_lines(std::uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

CpuValue value_of(const litmus::Value& value) {
  CpuValue result{value.number, std::nullopt};
  if (value.base) result.location = value.base->index;
  return result;
}

// The rows of a role, in the order of its visits: within a workgroup the l-th is instance l * factor^role.
std::vector<std::uint32_t> role_rows(const CpuProgram& program, const Harness& harness, std::size_t role) {
  const std::vector<std::uint32_t> used = row_columns(harness.test, role);
  const std::uint32_t size = program.workgroup_size;
  const std::uint32_t factor = power_mod(harness.roles.thread_factor, static_cast<std::uint32_t>(role), size);
  std::vector<std::uint32_t> rows;
  rows.reserve((used.size() + 1) * program.instances);
  for (std::uint32_t i = 0; i < program.instances; ++i) {
    const std::uint32_t instance = i - i % size + permuted(i % size, size == 1 ? 1 : factor, size);
    for (const std::uint32_t location : used) {
      rows.push_back(static_cast<std::uint32_t>(program.locations[location].at(instance)));
    }
    rows.push_back(instance * program.slot_bytes);
  }
  return rows;
}

void place_locations(CpuProgram& program, const Harness& harness) {
  const auto asked = static_cast<std::uint32_t>(harness.environment.permute_locations);
  const std::uint32_t n = program.instances;
  const std::uint32_t factor = asked <= 1 || n == 1 ? 1 : factor_for(asked, n);
  for (std::size_t i = 0; i < harness.test.locations.size(); ++i) {
    const std::uint32_t number = harness.memory.number[i];
    auto byte = [&](std::uint64_t instance) {
      return 4 * harness.memory.word<std::uint64_t>(number, instance, n, factor);
    };
    CpuLocation location;
    location.offset = byte(0);
    location.stride = harness.memory.kind == Layout::interleaved
                          ? std::uint64_t{harness.memory.strides[0]} * harness.memory.global_count() * 4
                          : std::uint64_t{harness.memory.strides[number]} * 4;
    if (factor != 1 && number != 0) {
      for (std::uint32_t k = 0; k < n; ++k) location.places.push_back(static_cast<std::uint32_t>(byte(k)));
    }
    location.bytes = static_cast<std::uint8_t>(litmus::size_in_bytes(harness.test.locations[i].type));
    location.initial = value_of(harness.test.locations[i].initial);
    program.locations.push_back(std::move(location));
  }
  program.slice_bytes = whole_lines(harness.memory.slice_words(n) * 4);
}

// Places one array per result item; arrays do not share a cache line. The arrays of other processors come first.
std::vector<std::uint64_t> place_results(CpuProgram& program, const Harness& harness,
                                         const std::vector<bool>& elsewhere) {
  for (const ResultItem& item : harness.results) {
    if (item.width == Width::w64) program.slot_bytes = 8;
  }
  const std::uint64_t array = whole_lines(std::uint64_t{program.instances} * program.slot_bytes);
  std::vector<std::uint64_t> offsets(harness.results.size());
  for (const bool other : {true, false}) {
    for (std::size_t i = 0; i < harness.results.size(); ++i) {
      if (elsewhere[harness.results[i].role] != other) continue;
      offsets[i] = program.result_bytes;
      program.result_bytes += array;
    }
    if (other) program.other_result_bytes = program.result_bytes;
  }
  return offsets;
}

// The items of the outcome, in order: the arrays of the registers have the same order among the results.
void make_items(CpuProgram& program, const Harness& harness, const std::vector<std::uint64_t>& offsets) {
  const std::vector<litmus::Observable> observed = harness.test.observed();
  std::size_t next = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const ItemCode& code = harness.encoding.items()[i];
    CpuItem item;
    item.factor = harness.encoding.factors()[i];
    item.is_signed = litmus::is_signed(code.type);
    for (const litmus::Value& value : code.values) item.values.push_back(value_of(value));
    if (const auto* location = std::get_if<litmus::LocationId>(&observed[i])) {
      item.location = location->index;
      item.bytes = program.locations[location->index].bytes;
      item.stride = program.locations[location->index].stride;
    } else {
      item.bytes = harness.results[next].width == Width::w64 ? 8 : 4;
      item.stride = program.slot_bytes;
      item.offset = offsets[next++];
    }
    program.items.push_back(std::move(item));
  }
}

base::Status make_roles(CpuProgram& program, const Harness& harness, const CpuFeatures& features,
                        const std::vector<std::uint64_t>& offsets, const std::vector<bool>& elsewhere) {
  const bool permutes = harness.roles.thread_factor != 1 && program.workgroup_size > 1;
  const bool rows = permutes || std::any_of(program.locations.begin(), program.locations.end(),
                                            [](const CpuLocation& location) { return !location.places.empty(); });
  for (std::size_t role = 0; role < harness.test.threads.size(); ++role) {
    CpuRoleInput input;
    input.harness = &harness;
    input.thread = role;
    input.features = features;
    input.locations = &program.locations;
    input.slot_bytes = program.slot_bytes;
    input.rows = rows;
    for (std::size_t i = 0; i < harness.results.size(); ++i) {
      if (harness.results[i].role != role) continue;
      if (harness.results[i].kind == ResultItem::Kind::unfinished) {
        input.unfinished = offsets[i];
        program.unfinished.push_back(offsets[i]);
      } else {
        input.results.push_back({harness.results[i].reg, offsets[i]});
      }
    }
    CpuRole made;
    made.results = input.results;
    made.unfinished = input.unfinished;
    if (elsewhere[role]) {
      program.roles.push_back(std::move(made));
      continue;
    }
    base::Result<CpuCode> code = lower_role(input);
    if (!code) return code.errors();
    made.code = *std::move(code);
    if (rows) made.rows = role_rows(program, harness, role);
    program.roles.push_back(std::move(made));
  }
  return base::ok_status();
}

}  // namespace

base::Result<CpuProgram> build_cpu_program(const Harness& harness, const CpuFeatures& features,
                                           std::vector<bool> elsewhere) {
  elsewhere.resize(harness.test.threads.size());
  const TestEnvironment& e = harness.environment;
  CpuProgram program;
  program.isa = features.isa;
  program.workgroup_size = harness.roles.workgroup_size;
  program.workgroups = harness.roles.instances_per_workgroup / harness.roles.workgroup_size;
  program.instances = harness.roles.instances_per_workgroup;
  program.spacing = static_cast<std::uint32_t>(e.barrier_spacing);
  program.barrier = e.barrier != BarrierKind::none && e.barrier_percent != 0;
  program.timed = e.barrier == BarrierKind::partner;
  if (e.barrier == BarrierKind::block) program.spacing = program.workgroups;
  program.rotates = e.assignment == Assignment::all && !harness.roles.one_role;
  program.order = e.role_order;
  program.pairing = e.pairing;
  program.memory_stress = e.memory_stress_percent != 0;
  program.pre_stress = e.pre_stress_percent != 0;
  program.spread = e.stress_spread == StressSpread::line;
  program.line_words = static_cast<std::uint32_t>(e.stress_line_words);
  program.numbers = harness.encoding.size();
  program.table = harness.encoding.has_table();
  if (harness.memory.slice_words(program.instances) * 4 > kMostSliceBytes) {
    return cannot_run(harness.test, "the locations of one iteration take more than 2 GiB; use smaller strides");
  }
  place_locations(program, harness);
  const std::vector<std::uint64_t> offsets = place_results(program, harness, elsewhere);
  make_items(program, harness, offsets);
  if (base::Status status = make_roles(program, harness, features, offsets, elsewhere); !status) return status.errors();
  return program;
}

std::string print_cpu(const CpuProgram& program) {
  std::string text;
  for (std::size_t role = 0; role < program.roles.size(); ++role) {
    if (program.roles[role].code.empty()) continue;
    text +=
        fmt::format("P{}:  ; {}\n{}", role, to_string(program.isa), print_cpu(program.isa, program.roles[role].code));
  }
  return text;
}

}  // namespace weakspot::codegen
