// SPDX-License-Identifier: MIT
#include "codegen/harness/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "codegen/buffer_words.h"
#include "codegen/harness/support.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using litmus::LitmusTest;

constexpr std::uint32_t kUsualCpuInstances = 1024;  // per iteration
constexpr std::uint32_t kUsualMixedInstances = 2048;

std::uint32_t distance_from_multiple(std::uint32_t value, std::uint32_t n) {
  value %= n;
  return std::min(value, n - value);
}

// The size of the test's cluster, a power of two; 1 if no two of its workgroups share one.
base::Result<std::uint32_t> cluster_size(const LitmusTest& test, const litmus::ScopeTree& tree,
                                         std::uint32_t workgroups, const TargetLimits& limits) {
  bool shared = false;
  bool apart = false;
  for (const litmus::Placement& a : tree.placements) {
    for (const litmus::Placement& b : tree.placements) {
      if (a.workgroup == b.workgroup) continue;
      (a.cluster == b.cluster ? shared : apart) = true;
    }
  }
  if (!shared) return 1u;
  if (apart) return cannot_run(test, "the test has several clusters, and some of them have more than one workgroup");
  const std::uint32_t size = std::bit_ceil(workgroups);
  if (size > limits.max_cluster) {
    return cannot_run(test,
                      fmt::format("the test needs clusters of {} workgroups; the device has {}", size,
                                  limits.max_cluster == 1 ? "none" : fmt::format("up to {}", limits.max_cluster)));
  }
  return size;
}

// The position of `id` in `ids`, where it is added if it is new.
std::uint32_t index_in(std::vector<std::uint32_t>& ids, std::uint32_t id) {
  const auto found = std::find(ids.begin(), ids.end(), id);
  if (found != ids.end()) return static_cast<std::uint32_t>(found - ids.begin());
  ids.push_back(id);
  return static_cast<std::uint32_t>(ids.size() - 1);
}

// Whether an operation means the subgroup, or waits for others: then it matters which threads share one.
bool depends_on_subgroups(const LitmusTest& test) {
  const auto means_subgroup = [](const litmus::Instruction& instruction) {
    return std::visit(
        [](const auto& operation) {
          if constexpr (requires { operation.access.scope; }) return operation.access.scope <= litmus::Scope::subgroup;
          if constexpr (requires { operation.scope; }) return operation.scope <= litmus::Scope::subgroup;
          return false;
        },
        instruction.operation);
  };
  return has_barriers(test) || std::any_of(test.threads.begin(), test.threads.end(), [&](const litmus::Thread& thread) {
           return std::any_of(thread.instructions.begin(), thread.instructions.end(), means_subgroup);
         });
}

// Puts the threads of each workgroup into one subgroup.
litmus::ScopeTree with_neighbours_together(litmus::ScopeTree tree) {
  for (litmus::Placement& placement : tree.placements) placement.subgroup = placement.workgroup;
  return tree;
}

// Numbers the workgroups of the test, the subgroups in each, and the threads in each of those.
base::Status place_threads(const LitmusTest& test, const litmus::ScopeTree& tree, RolePlan& plan) {
  std::vector<std::uint32_t> workgroup_ids;
  std::vector<std::vector<std::uint32_t>> subgroup_ids;
  std::vector<std::vector<std::uint32_t>> lanes;  // threads so far, by workgroup and subgroup
  for (const litmus::Placement& placement : tree.placements) {
    if (placement.device != tree.placements.front().device) {
      return cannot_run(test, "the test places its threads on several devices; a run uses one");
    }
    Role role;
    role.workgroup = index_in(workgroup_ids, placement.workgroup);
    subgroup_ids.resize(workgroup_ids.size());
    lanes.resize(workgroup_ids.size());
    role.subgroup = index_in(subgroup_ids[role.workgroup], placement.subgroup);
    lanes[role.workgroup].resize(subgroup_ids[role.workgroup].size());
    role.lane = lanes[role.workgroup][role.subgroup]++;
    plan.roles.push_back(role);
    plan.subgroups = std::max(plan.subgroups, role.subgroup + 1);
    plan.lanes = std::max(plan.lanes, role.lane + 1);
  }
  plan.workgroups = static_cast<std::uint32_t>(workgroup_ids.size());
  plan.lanes = std::bit_ceil(plan.lanes);
  if (plan.lanes > plan.subgroup_size) {
    return cannot_run(
        test, fmt::format("the test has {} threads in a subgroup; the device has {}", plan.lanes, plan.subgroup_size));
  }
  return base::ok_status();
}

// The size that the environment asks for, rounded to whole teams of subgroups if the test needs them.
base::Result<std::uint32_t> choose_workgroup_size(const LitmusTest& test, const TestEnvironment& environment,
                                                  const TargetLimits& limits, const RolePlan& plan) {
  const auto wanted = static_cast<std::uint32_t>(environment.workgroup_size);
  std::uint32_t size = std::min(wanted, limits.max_workgroup_size);
  if (plan.scattered() && !has_barriers(test)) return size;
  const std::uint32_t team = limits.subgroup_size * plan.subgroups;
  size = std::max(team, size / team * team);
  // Every team of subgroups needs a barrier of its own, and hardware has few.
  if (has_barriers(test) && limits.named_barriers != 0) size = std::min(size, team * limits.named_barriers);
  if (size > limits.max_workgroup_size) {
    return cannot_run(test, fmt::format("the test needs workgroups of {} threads; the device has up to {}", size,
                                        limits.max_workgroup_size));
  }
  return size;
}

}  // namespace

bool coprime(std::uint32_t a, std::uint32_t b) { return std::gcd(a, b) == 1; }

std::uint32_t power_mod(std::uint32_t base, std::uint32_t exponent, std::uint32_t modulus) {
  std::uint64_t power = 1 % modulus;
  for (std::uint32_t i = 0; i < exponent; ++i) power = power * (base % modulus) % modulus;
  return static_cast<std::uint32_t>(power);
}

std::uint32_t good_factor(std::uint32_t n) {
  if (n < 3) return 1;
  // The score is the smallest distance of neighbours from each other and from their old places, for the first powers of
  // the factor. If every square is the identity (modulo 24, for example), only the factor itself can help.
  for (const std::uint32_t powers : {3u, 1u}) {
    std::uint32_t best = 1;
    std::uint32_t best_score = 1;
    // A score is less than its factor: from large to small, most factors can be skipped.
    for (std::uint32_t factor = std::min(n, 2048u) - 1; factor >= 2 && factor > best_score; --factor) {
      std::uint32_t score = n;
      for (std::uint32_t exponent = 1; exponent <= powers && score >= best_score; ++exponent) {
        const std::uint32_t power = power_mod(factor, exponent, n);
        score = std::min({score, distance_from_multiple(power + n - 1, n), distance_from_multiple(power, n)});
      }
      if (score >= best_score && coprime(factor, n)) {
        best_score = score;
        best = factor;
      }
    }
    if (best != 1) return best;
  }
  return 1;
}

std::uint32_t factor_for(std::uint32_t wanted, std::uint32_t n) {
  if (wanted == 0) return good_factor(n);
  while (!coprime(wanted, n)) ++wanted;
  return wanted;
}

std::uint32_t RolePlan::workgroup_multiple() const {
  if (one_role) return workgroups;
  return pairing == Pairing::neighbour ? std::bit_ceil(workgroups) : 1;
}

std::uint32_t RolePlan::min_workgroups() const {
  const std::uint32_t multiple = workgroup_multiple();
  return (std::max(workgroups, 1u) + multiple - 1) / multiple * multiple;
}

std::uint32_t RolePlan::instances(std::uint32_t testing) const {
  if (single_instance) return 1;
  return (one_role ? testing / workgroups : testing) * instances_per_workgroup;
}

bool has_barriers(const LitmusTest& test) {
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      if (std::holds_alternative<litmus::Barrier>(instruction.operation)) return true;
    }
  }
  return false;
}

base::Result<RolePlan> plan_roles(const LitmusTest& test, const TestEnvironment& environment,
                                  const TargetLimits& limits) {
  litmus::ScopeTree tree = test.scope_tree();
  RolePlan plan;
  plan.subgroup_size = limits.subgroup_size;
  if (environment.neighbours != Neighbours::apart && !depends_on_subgroups(test)) {
    plan.both = environment.neighbours == Neighbours::both && environment.assignment == Assignment::all &&
                environment.mode == Mode::pte;
    if (!plan.both) tree = with_neighbours_together(std::move(tree));
  }
  if (base::Status status = place_threads(test, tree, plan); !status) return status.errors();
  if (plan.lanes > 1) plan.both = false;  // the test has threads in one subgroup, which others would meet
  base::Result<std::uint32_t> cluster = cluster_size(test, tree, plan.workgroups, limits);
  if (!cluster) return cluster.errors();
  plan.cluster = *cluster;

  plan.single_instance = environment.mode == Mode::site;
  plan.one_role = plan.single_instance || environment.assignment == Assignment::one || has_barriers(test);
  plan.pairing = environment.pairing;
  if (plan.cluster > 1) {
    if (plan.one_role && plan.cluster != plan.workgroups) {
      return cannot_run(test, fmt::format("the {} workgroups of the test do not fill a cluster", plan.workgroups));
    }
    plan.pairing = Pairing::neighbour;
  }

  const base::Result<std::uint32_t> size = choose_workgroup_size(test, environment, limits, plan);
  if (!size) return size.errors();
  plan.workgroup_size = *size;
  plan.instances_per_workgroup = *size;
  if (plan.one_role && !plan.scattered()) {
    const std::uint32_t teams = *size / (limits.subgroup_size * plan.subgroups);
    plan.instances_per_workgroup = teams * (limits.subgroup_size / plan.lanes);
  }
  if (plan.single_instance) plan.instances_per_workgroup = 1;
  plan.thread_factor =
      factor_for(static_cast<std::uint32_t>(environment.permute_threads), plan.instances_per_workgroup);
  return plan;
}

base::Result<RolePlan> resident_roles(const LitmusTest& test, const TestEnvironment& environment,
                                      const TargetLimits& limits) {
  RolePlan plan;
  plan.subgroup_size = limits.subgroup_size;
  if (base::Status status = place_threads(test, test.scope_tree(), plan); !status) return status.errors();
  if (plan.lanes != 1) return cannot_run(test, "two threads of a subgroup, in a test with asynchronous operations");
  if (plan.workgroups > limits.max_cluster) {
    return cannot_run(test, fmt::format("the test needs clusters of {} workgroups; the device has up to {}",
                                        plan.workgroups, limits.max_cluster));
  }
  plan.cluster = plan.workgroups;
  plan.one_role = true;
  plan.pairing = Pairing::neighbour;
  const std::uint32_t team = limits.subgroup_size * plan.subgroups;
  const std::uint32_t most = has_barriers(test) ? std::max(1u, limits.named_barriers) : limits.max_workgroup_size;
  const std::uint32_t wanted =
      std::min(static_cast<std::uint32_t>(environment.workgroup_size), limits.max_workgroup_size);
  const std::uint32_t teams = std::clamp(wanted / team, 1u, most);
  plan.workgroup_size = team * teams;
  plan.instances_per_workgroup = limits.subgroup_size * teams;
  return plan;
}

base::Result<RolePlan> grid_roles(const LitmusTest& test, const TestEnvironment& environment,
                                  const TargetLimits& limits) {
  RolePlan plan;
  plan.subgroup_size = limits.subgroup_size;
  if (base::Status status = place_threads(test, test.scope_tree(), plan); !status) return status.errors();
  plan.workgroups = 1;
  plan.workgroup_size = std::min(static_cast<std::uint32_t>(environment.workgroup_size), limits.max_workgroup_size);
  plan.instances_per_workgroup = plan.workgroup_size;
  return plan;
}

RolePlan cpu_roles(const LitmusTest& test, const TestEnvironment& e) {
  RolePlan plan;
  plan.roles.resize(test.threads.size());
  plan.single_instance = e.mode == Mode::site;
  plan.one_role = e.assignment == Assignment::one;
  plan.subgroup_size = 1;
  plan.workgroup_size = plan.single_instance ? 1 : static_cast<std::uint32_t>(e.workgroup_size);
  std::uint32_t workgroups = std::max(1u, kUsualCpuInstances / plan.workgroup_size);
  if (e.testing_workgroups != 0) workgroups = static_cast<std::uint32_t>(e.testing_workgroups);
  if (plan.single_instance) workgroups = 1;
  workgroups = std::min(workgroups, kMostInstances / plan.workgroup_size);
  plan.instances_per_workgroup = workgroups * plan.workgroup_size;
  const auto factor = static_cast<std::uint32_t>(e.permute_threads);
  plan.thread_factor = factor <= 1 ? 1 : factor_for(factor, plan.workgroup_size);
  return plan;
}

MixedShape mixed_shape(const TestEnvironment& e) {
  MixedShape shape;
  const bool site = e.mode == Mode::site;
  shape.workgroup_size = site ? 1 : static_cast<std::uint32_t>(e.workgroup_size);
  shape.workgroups = std::max(1u, kUsualMixedInstances / shape.workgroup_size);
  if (e.testing_workgroups != 0) shape.workgroups = static_cast<std::uint32_t>(e.testing_workgroups);
  if (site) shape.workgroups = 1;
  shape.workgroups = std::min(shape.workgroups, kMostInstances / shape.workgroup_size);
  const std::uint32_t most = kMostInstances / std::max(1u, shape.chunk());
  shape.iterations = std::min(static_cast<std::uint32_t>(e.iterations), most);
  return shape;
}

RolePlan mixed_roles(const LitmusTest& test, const TestEnvironment& e) {
  const MixedShape shape = mixed_shape(e);
  RolePlan plan;
  plan.roles.resize(test.threads.size());
  plan.single_instance = e.mode == Mode::site;
  plan.one_role = true;
  plan.subgroup_size = 1;
  plan.workgroup_size = shape.chunk();
  plan.instances_per_workgroup = shape.chunk() * shape.iterations;
  plan.thread_factor = 1;
  return plan;
}

}  // namespace weakspot::codegen
