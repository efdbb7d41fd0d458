// SPDX-License-Identifier: MIT
// A cycle of edges: the shape of an execution that is not sequentially consistent, and so a test (Alglave et al.,
// "Fences in weak memory models").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gen/edge.h"

namespace weakspot::gen {

// An event, and the edge from it to the event of the next step.
struct Step {
  Annotation event;
  Edge edge;
  friend bool operator==(const Step&, const Step&) = default;
};

// The last step's edge leads to the first step's event. Rotations of a cycle mean the same test.
struct Cycle {
  std::vector<Step> steps;

  const Step& at(std::size_t i) const { return steps[i % steps.size()]; }
  const Edge& edge_into(std::size_t i) const { return at(i + steps.size() - 1).edge; }
  friend bool operator==(const Cycle&, const Cycle&) = default;
};

// The text that parse_cycle() reads back as this cycle.
std::string to_string(const Cycle& cycle);

// The rotation whose first step is step `first` of this one.
Cycle rotated(const Cycle& cycle, std::size_t first);

// The one rotation that stands for all: it starts with a thread, and its threads are in the order of the test's name.
// Has the spaces of with_spaces(). Requires a cycle without mistakes.
Cycle canonical(const Cycle& cycle);
// The same rotation, with the memory space of each location at all of its events.
Cycle with_spaces(const Cycle& cycle);

// The first event of each thread. Requires a rotation that starts with a thread, as canonical() gives.
std::vector<std::size_t> thread_starts(const Cycle& cycle);

// The location of each event, numbered in order of appearance.
std::vector<std::uint32_t> locations_of(const Cycle& cycle);

// The memory space of each location, given locations_of(cycle).
std::vector<litmus::Space> spaces_of(const Cycle& cycle, const std::vector<std::uint32_t>& locations);

}  // namespace weakspot::gen
