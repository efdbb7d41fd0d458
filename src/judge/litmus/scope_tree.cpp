// SPDX-License-Identifier: MIT
#include "litmus/scope_tree.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace weakspot::litmus {
namespace {

std::size_t index_of(Scope level) {
  for (std::size_t i = 0; i < kTreeLevels.size(); ++i) {
    if (kTreeLevels[i] == level) return i;
  }
  WEAKSPOT_CHECK(false && "not a level of the tree");
  return 0;
}

std::uint32_t& slot(Placement& placement, Scope level) {
  switch (level) {
    case Scope::device:
      return placement.device;
    case Scope::queue_family:
      return placement.queue_family;
    case Scope::cluster:
      return placement.cluster;
    case Scope::workgroup:
      return placement.workgroup;
    default:
      return placement.subgroup;
  }
}

// The identity of a node among its siblings: the number that the text gives, or an implied one if it gives none.
struct NodeKey {
  std::uint32_t parent = 0;
  std::optional<std::uint32_t> given;
  std::uint64_t implied = 0;
  bool cpu = false;
  auto operator<=>(const NodeKey&) const = default;
};

// The identity of a node at a level that the text leaves out. Devices and queue families all share 0. Otherwise it is
// the number of the nearest level below that is given, plus 1, or else the thread's number, plus 2^32.
std::uint64_t implied_identity(const PartialPlacement& thread, std::size_t thread_index, std::size_t level) {
  if (kTreeLevels[level] == Scope::device || kTreeLevels[level] == Scope::queue_family) return 0;
  for (std::size_t child = level + 1; child < kTreeLevels.size(); ++child) {
    if (thread.node[child]) return 1 + std::uint64_t{*thread.node[child]};
  }
  return (std::uint64_t{1} << 32) + thread_index;
}

}  // namespace

std::uint32_t Placement::at(Scope level) const { return slot(const_cast<Placement&>(*this), level); }

std::optional<std::uint32_t>& PartialPlacement::at(Scope level) { return node[index_of(level)]; }

bool ScopeTree::together(ThreadId a, ThreadId b, Scope scope) const {
  if (scope == Scope::thread) return a == b;
  if (scope == Scope::system) return true;
  return placements[a.index].at(scope) == placements[b.index].at(scope);
}

bool ScopeTree::has_cpus() const {
  return std::any_of(placements.begin(), placements.end(), [](const Placement& placement) { return placement.cpu; });
}

ScopeTree make_scope_tree(const std::vector<PartialPlacement>& threads) {
  ScopeTree tree;
  tree.placements.resize(threads.size());
  for (std::size_t level = 0; level < kTreeLevels.size(); ++level) {
    std::map<NodeKey, std::uint32_t> numbers;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      NodeKey key;
      if (level > 0) key.parent = tree.placements[t].at(kTreeLevels[level - 1]);
      key.given = threads[t].node[level];
      key.cpu = threads[t].cpu;
      if (!key.given) key.implied = implied_identity(threads[t], t, level);
      auto number = static_cast<std::uint32_t>(numbers.size());
      tree.placements[t].cpu = threads[t].cpu;
      slot(tree.placements[t], kTreeLevels[level]) = numbers.emplace(key, number).first->second;
    }
  }
  return tree;
}

ScopeTree default_scope_tree(std::size_t threads) {
  ScopeTree tree;
  tree.placements.reserve(threads);
  for (std::uint32_t t = 0; t < threads; ++t) {
    tree.placements.push_back({.device = 0, .queue_family = 0, .cluster = t, .workgroup = t, .subgroup = t});
  }
  return tree;
}

}  // namespace weakspot::litmus
