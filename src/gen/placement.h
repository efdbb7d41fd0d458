// Where the threads of a cycle run, from what its external edges say of neighbours.
#pragma once

#include <optional>
#include <vector>

#include "gen/cycle.h"
#include "litmus/scope_tree.h"

namespace weakspot::gen {

struct Placements {
  std::vector<litmus::Placement> threads;
  // An external edge whose threads other edges bring closer together than it says.
  std::optional<std::size_t> contradiction;
};

// Threads that no chain of edges brings together are apart. Requires a rotation that starts with a thread.
Placements place_threads(const Cycle& cycle);

}  // namespace weakspot::gen
