// SPDX-License-Identifier: MIT
#include "race_jit/host/host_graphs.h"

#include <utility>

namespace weakspot::race_jit {

bool HostGraphs::begin() {
  if (capturing_) return false;
  capturing_ = true;
  captured_.clear();
  return true;
}

std::uint64_t HostGraphs::end() {
  if (!std::exchange(capturing_, false)) return 0;
  graphs_[next_] = std::exchange(captured_, {});
  return next_++;
}

std::uint64_t HostGraphs::copy(std::uint64_t handle) {
  const Graph* graph = find(handle);
  if (graph == nullptr) return 0;
  graphs_[next_] = *graph;
  return next_++;
}

const HostGraphs::Graph* HostGraphs::find(std::uint64_t handle) const {
  auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : &found->second;
}

}  // namespace weakspot::race_jit
