// SPDX-License-Identifier: MIT
// The scope tree, which says which threads run together: subgroups (warps), workgroups (CTAs), clusters, queue families
// and devices, kept as each thread's path from the device down.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

// The levels of the tree that have identities, outermost first. (A thread is its own `thread`; there is one
// `system`.)
inline constexpr std::array kTreeLevels = {Scope::device, Scope::queue_family, Scope::cluster, Scope::workgroup,
                                           Scope::subgroup};

// A thread's node at each level. Nodes are numbered over the whole test, so that two threads are in the same
// node iff the numbers are equal.
struct Placement {
  std::uint32_t device = 0;
  std::uint32_t queue_family = 0;
  std::uint32_t cluster = 0;
  std::uint32_t workgroup = 0;
  std::uint32_t subgroup = 0;
  bool cpu = false;  // the device is a CPU: its threads use CPU instructions, and all they do reaches the system

  std::uint32_t at(Scope level) const;  // level in kTreeLevels
  friend bool operator==(const Placement&, const Placement&) = default;
};

// The placement of one thread as a text gives it: a number within the parent at some of the levels.
struct PartialPlacement {
  std::array<std::optional<std::uint32_t>, kTreeLevels.size()> node;  // indexed as kTreeLevels
  bool cpu = false;
  std::optional<std::uint32_t>& at(Scope level);
};

struct ScopeTree {
  std::vector<Placement> placements;  // one per thread
  // Vulkan's system-synchronizes-with pairs.
  std::vector<std::pair<ThreadId, ThreadId>> system_synchronizes;
  // The second thread's grid is a dependent launch of the first one's: they may overlap (PTX's griddepcontrol).
  std::vector<std::pair<ThreadId, ThreadId>> launches;

  bool has_cpus() const;
  // Whether both threads are in one instance of `scope`.
  bool together(ThreadId a, ThreadId b, Scope scope) const;
  friend bool operator==(const ScopeTree&, const ScopeTree&) = default;
};

// Completes the placements of a text: a level left out is one node per child (every workgroup a cluster of its own,
// every thread a subgroup of its own, every thread a workgroup of its own), except that devices and queue
// families left out are all the same one. Nodes are then numbered densely in order of appearance.
ScopeTree make_scope_tree(const std::vector<PartialPlacement>& threads);

// The tree of a test that has none: every thread in a workgroup of its own, one device.
ScopeTree default_scope_tree(std::size_t threads);

}  // namespace weakspot::litmus
