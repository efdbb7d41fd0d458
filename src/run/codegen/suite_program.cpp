// SPDX-License-Identifier: MIT
#include "codegen/suite_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/harness.h"
#include "codegen/harness/role_code.h"
#include "codegen/harness/support.h"
#include "codegen/print/kernel_program.h"
#include "codegen/spirv/print_spirv.h"
#include "codegen/suite/suite_kernels.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

constexpr std::uint64_t kMostOutcomes = 256;

bool has_indexed_access(const litmus::LitmusTest& test) {
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      const litmus::Access* access = litmus::access_of(instruction);
      if (access != nullptr && (!access->address.location || access->address.index || access->address.offset != 0)) {
        return true;
      }
    }
  }
  return false;
}

// Refuses what the two kernels have no form for.
base::Status check_form(const Harness& harness) {
  const litmus::LitmusTest& test = harness.test;
  for (const litmus::Location& location : test.locations) {
    if (location.space == litmus::Space::shared) {
      return cannot_run(test, "tests for conformance suites keep their locations in buffers, not in shared memory");
    }
    if (litmus::size_in_bytes(location.type) != 4) {
      return cannot_run(test, "tests for conformance suites have locations of 32 bits");
    }
    if (location.initial != litmus::Value{} || location.alias_of || location.is_array()) {
      return cannot_run(test, "tests for conformance suites have single locations that begin as 0");
    }
  }
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Register& reg : thread.registers) {
      if (width_of(reg.type) != Width::w32) {
        return cannot_run(test, "tests for conformance suites have registers of 32 bits");
      }
    }
  }
  if (has_indexed_access(test)) return cannot_run(test, "tests for conformance suites have no computed addresses");
  if (std::any_of(harness.regions.begin(), harness.regions.end(), has_loops)) {
    return cannot_run(test, "tests for conformance suites have no loops");
  }
  if (has_barriers(test) && harness.roles.workgroups != 1) {
    return cannot_run(test, "tests for conformance suites with barriers have one workgroup");
  }
  const std::vector<ItemCode>& items = harness.encoding.items();
  if (std::any_of(items.begin(), items.end(), [](const ItemCode& item) { return item.raw(); }) ||
      harness.encoding.size() > kMostOutcomes) {
    return cannot_run(test, fmt::format("the test has more than {} outcomes to list", kMostOutcomes));
  }
  return base::ok_status();
}

}  // namespace

base::Result<SuiteProgram> make_suite_program(const litmus::LitmusTest& test, Target target,
                                              const litmus::OutcomeSet& allowed, const SuiteShape& shape) {
  TestEnvironment environment;
  environment.workgroup_size = static_cast<int>(shape.workgroup_size);
  TargetLimits limits;
  limits.opencl.all_devices_scope = true;
  const base::Result<Harness> harness = make_harness(test, environment, target, limits);
  if (!harness) return harness.errors();
  if (harness->iterated() == nullptr) return cannot_run(test, "tests for conformance suites have one launch");
  if (base::Status status = check_form(*harness); !status) return status.errors();

  SuiteProgram made;
  made.shape = shape;
  made.instances = harness->roles.instances(shape.workgroups);
  std::set<std::uint64_t> numbers;
  for (const litmus::Outcome& outcome : allowed) {
    if (const auto number = harness->encoding.encode(outcome)) numbers.insert(*number);
  }
  for (std::uint64_t i = 0; i < harness->encoding.size(); ++i) made.outcomes.push_back(harness->encoding.decode(i));
  const KernelModule kernels = build_suite_kernels(*harness, shape, numbers);
  made.program = print_kernels(kernels, target, limits);
  if (target == Target::spirv) made.program.words = print_bound_spirv(kernels);
  made.buffer_words = {static_cast<std::uint32_t>(harness->memory.slice_words(made.instances)),
                       std::max(1u, words_per_instance(harness->results) * made.instances),
                       static_cast<std::uint32_t>(kSuiteOutcomes + made.outcomes.size())};
  return made;
}

}  // namespace weakspot::codegen
