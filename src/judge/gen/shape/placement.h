// SPDX-License-Identifier: MIT
// The placement of a cycle's threads, which follows from its external edges.
#pragma once

#include <optional>
#include <vector>

#include "gen/cycle.h"
#include "litmus/scope_tree.h"

namespace weakspot::gen {

struct Placements {
  std::vector<litmus::Placement> threads;
  // An external edge whose threads other edges put closer together than it does.
  std::optional<std::size_t> contradiction;
};

// Threads that no chain of edges puts together are apart. Requires a rotation that starts with a thread.
Placements place_threads(const Cycle& cycle);

}  // namespace weakspot::gen
