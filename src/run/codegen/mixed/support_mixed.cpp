// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "codegen/harness/support.h"
#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

// The threads on the other processor do nothing.
LitmusTest half_of(LitmusTest test, const ScopeTree& tree, bool cpu) {
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    if (tree.placements[t].cpu != cpu) test.threads[t].instructions.clear();
  }
  for (Placement& placement : test.scopes->placements) placement.cpu = false;
  return test;
}

}  // namespace

base::Status check_mixed(const LitmusTest& test, const CheckHalf& check) {
  const ScopeTree tree = test.scope_tree();
  std::set<std::uint32_t> workgroups, gpus;
  std::size_t on_gpu = 0;
  for (const Placement& placement : tree.placements) {
    if (placement.cpu) continue;
    ++on_gpu;
    workgroups.insert(placement.workgroup);
    gpus.insert(placement.device);
  }
  if (!tree.has_cpus())
    return cannot_run(test, "the test has no threads on a CPU; the device runs a CPU and a GPU together");
  if (on_gpu == 0)
    return cannot_run(test, "the test has no threads on a GPU; the device runs a CPU and a GPU together");
  if (gpus.size() > 1) return cannot_run(test, "the test has threads on several GPUs");
  if (workgroups.size() != on_gpu) return cannot_run(test, "two threads on the GPU are in one workgroup");
  for (const Location& location : test.locations) {
    if (location.space == Space::shared)
      return cannot_run(test, "the test uses shared memory, which CPUs do not reach");
    if (location.alias_of) return cannot_run(test, fmt::format("'{}' is an alias of another location", location.name));
  }
  if (base::Status status = check(half_of(test, tree, false), Target::ptx); !status) return status;
  return check(half_of(test, tree, true), Target::cpu);
}

bool shares_atomics(const LitmusTest& test) {
  const ScopeTree tree = test.scope_tree();
  std::set<std::optional<LocationId>> on_cpu, modified;  // none: an address in a register, which may be any
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      const Access* access = access_of(instruction);
      if (access == nullptr) continue;
      const bool rmw = std::holds_alternative<Rmw>(instruction.operation);
      if (tree.placements[t].cpu) on_cpu.insert(access->address.location);
      if (!tree.placements[t].cpu && rmw) modified.insert(access->address.location);
    }
  }
  return std::any_of(modified.begin(), modified.end(), [&](const std::optional<LocationId>& location) {
    return !location || on_cpu.contains(std::nullopt) || on_cpu.contains(location);
  });
}

}  // namespace weakspot::codegen
