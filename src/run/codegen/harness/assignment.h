// SPDX-License-Identifier: MIT
// Assigns roles and instances to threads. The formulas are templates over the number type: tests check them with
// numbers, and the device computes them as kernel expressions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"
#include "codegen/environment.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// (i*factor) mod n: a bijection of [0, n) iff factor and n are coprime.
template <typename N>
N permuted(N i, N factor, N n) {
  return (i * factor) % n;
}

// (w + 1 + l mod (T-1)) mod T, which is never w. Needs T >= 2.
template <typename N>
N stripe(N w, N l, N workgroups) {
  return (w + N(1u) + l % (workgroups - N(1u))) % workgroups;
}

bool coprime(std::uint32_t a, std::uint32_t b);
std::uint32_t power_mod(std::uint32_t base, std::uint32_t exponent, std::uint32_t modulus);
// A factor for permuted() whose first powers are all far from the identity: coprime to n, and neighbours land far
// apart.
std::uint32_t good_factor(std::uint32_t n);
// The first factor from `wanted` on that is coprime to n; good_factor(n) if wanted is 0.
std::uint32_t factor_for(std::uint32_t wanted, std::uint32_t n);

// One thread of the test, placed: its workgroup among those of the test, and its place in that one.
struct Role {
  std::uint32_t workgroup = 0;
  std::uint32_t subgroup = 0;  // within the workgroup
  std::uint32_t lane = 0;      // within the subgroup
};

struct RolePlan {
  std::vector<Role> roles;       // one per thread of the test
  std::uint32_t workgroups = 1;  // of the test
  std::uint32_t subgroups = 1;   // the largest number in one workgroup
  std::uint32_t lanes = 1;       // the largest number of roles in one subgroup, as a power of two
  std::uint32_t cluster = 1;     // workgroups per cluster; 1: no clusters
  bool one_role = false;         // a thread runs one role
  bool single_instance = false;  // mode site
  Pairing pairing = Pairing::stripe;
  bool both = false;  // even lanes meet others of their own subgroup, odd ones those of another
  std::uint32_t subgroup_size = 32;
  std::uint32_t workgroup_size = 32;
  std::uint32_t instances_per_workgroup = 32;  // per row of workgroups if one_role
  std::uint32_t thread_factor = 1;

  // The number of testing workgroups is a multiple of this.
  std::uint32_t workgroup_multiple() const;
  std::uint32_t min_workgroups() const;
  // Instances per iteration with that many testing workgroups.
  std::uint32_t instances(std::uint32_t testing) const;

  // The formulas. `w` is the workgroup's (shuffled) number, `l` the thread's number in it, `testing` the number of
  // testing workgroups. N is std::uint32_t or Expr.

  // The lane whose instance this thread joins as `role`: its own for the first role of a workgroup; for the others
  // another lane, in the same or another subgroup. Not for one_role.
  template <typename N>
  N leader(std::size_t role, N l) const;
  // The instance of which the thread runs `role`; slot() numbers it among those of the workgroup that runs it.
  template <typename N>
  N slot(std::size_t role, N l) const;
  template <typename N>
  N instance(std::size_t role, N w, N l, N testing) const;

  // The role of a thread, for one_role.
  template <typename N>
  N test_workgroup(N w) const {
    return single_instance ? w : w % N(workgroups);
  }
  template <typename N>
  N subgroup_of(N l) const {
    return (l / N(subgroup_size)) % N(subgroups);
  }
  template <typename N>
  N team_of(N l) const {
    return l / N(subgroup_size * subgroups);
  }
  template <typename N>
  N lane_of(N l) const {
    return l % N(lanes);
  }

  // True if no two roles share a workgroup.
  bool scattered() const { return subgroups == 1 && lanes == 1; }

 private:
  template <typename N>
  N partner(std::uint32_t group, N w, N lane, N count) const;
};

// Places the test's threads for the environment. Fails for tests that need several devices, or more than this one has.
base::Result<RolePlan> plan_roles(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                  const TargetLimits& limits);

// For resident tests: a thread runs one role, and the workgroups of the test are a cluster.
base::Result<RolePlan> resident_roles(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                      const TargetLimits& limits);

// For tests with dependent launches: each thread of the test is a grid, and instance i is in thread i of each.
base::Result<RolePlan> grid_roles(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                  const TargetLimits& limits);

// For a CPU: an iteration of a team of workers is one "workgroup" of instances.
RolePlan cpu_roles(const litmus::LitmusTest& test, const TestEnvironment& environment);

// For a CPU and a GPU together: a round is `iterations` chunks of instances, each on fresh memory, and a chunk is one
// instance per thread of `workgroups` workgroups for each role on the GPU.
struct MixedShape {
  std::uint32_t workgroup_size = 64;
  std::uint32_t workgroups = 32;
  std::uint32_t iterations = 1;

  std::uint32_t chunk() const { return workgroup_size * workgroups; }
};
MixedShape mixed_shape(const TestEnvironment& environment);
// To the CPU's code, a chunk is a "workgroup".
RolePlan mixed_roles(const litmus::LitmusTest& test, const TestEnvironment& environment);

// True if the test has workgroup barriers. Its threads must then run at the same time.
bool has_barriers(const litmus::LitmusTest& test);

// ---- implementation ----

template <typename N>
N RolePlan::leader(std::size_t role, N l) const {
  const Role& r = roles[role];
  if (r.subgroup == 0 && r.lane == 0) return l;
  const std::uint32_t warps = workgroup_size / subgroup_size;
  N lane = l % N(subgroup_size);
  N warp = l / N(subgroup_size) + (both ? lane % N(2u) * N(r.subgroup) : N(r.subgroup));
  warp = warp % N(warps);
  // The lanes of another warp are met in another order. The factor is odd, so that with a power of two of lanes no two
  // threads get the same one; an odd number is added to lanes that may stay in their warp, so that none meets itself.
  if (r.subgroup != 0) lane = lane * N(5u);
  if (both && r.subgroup != 0) lane = lane + N(2 * r.subgroup - 1);
  return warp * N(subgroup_size) + (lane + N(r.lane)) % N(subgroup_size);
}

template <typename N>
N RolePlan::slot(std::size_t role, N l) const {
  const std::uint32_t group = roles[role].workgroup;
  const std::uint32_t n = instances_per_workgroup;
  N lane = l;
  if (!one_role) {
    lane = leader(role, l);
  } else if (!scattered()) {
    lane = team_of(l) * N(subgroup_size / lanes) + (l % N(subgroup_size)) / N(lanes);
  }
  if (single_instance || group == 0) return lane;
  return permuted(lane, N(power_mod(thread_factor, group, n)), N(n));
}

template <typename N>
N RolePlan::partner(std::uint32_t group, N w, N lane, N count) const {
  if (group == 0) return w;
  switch (pairing) {
    case Pairing::stripe: {
      // The published stripe for two workgroups; for more, starts that are spread so that no two workgroups of an
      // instance are the same.
      if (group == 1) return stripe(w, lane, count);
      const N step = (count - N(1u)) / N(workgroups - 1);
      const std::uint32_t factor = power_mod(thread_factor, group - 1, instances_per_workgroup);
      return stripe(w, permuted(lane, N(factor), N(instances_per_workgroup)) + N(group - 1) * step, count);
    }
    case Pairing::half:
      return (w + N(group) * (count / N(workgroups))) % count;
    case Pairing::neighbour:
      return w ^ N(group);
    case Pairing::next:
      break;
  }
  return (w + N(group)) % count;
}

template <typename N>
N RolePlan::instance(std::size_t role, N w, N l, N testing) const {
  const std::uint32_t group = roles[role].workgroup;
  if (single_instance) return N(0u);
  if (!one_role) {
    return partner(group, w, leader(role, l), testing) * N(instances_per_workgroup) + slot(role, l);
  }
  // Workgroups stand in rows of one per workgroup of the test: here the partner is a row, and may be the same one.
  const N rows = testing / N(workgroups);
  const N row = w / N(workgroups);
  const N place = slot(role, l);
  N other = row;
  if (group != 0 && pairing == Pairing::stripe) other = (row + place * N(group)) % rows;
  if (group != 0 && pairing == Pairing::half) other = (row + N(group) * (rows / N(2u))) % rows;
  if (group != 0 && pairing == Pairing::next) other = (row + N(group)) % rows;
  return other * N(instances_per_workgroup) + place;
}

}  // namespace weakspot::codegen
