// SPDX-License-Identifier: MIT
// From the edges of a cycle to its events: which thread, which location, which value, and what the condition must ask
// so that it holds in the executions that have the cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gen/cycle.h"
#include "litmus/scope_tree.h"

namespace weakspot::gen {

struct LayoutOptions {
  // Show coherence by observer threads alone, never by final values.
  bool prefer_observers = false;
  // The values written, in program order, thread by thread. If empty, the writes of each location are numbered from 1
  // in coherence order.
  std::vector<std::int64_t> values;
  // Take the cycle in the rotation given, which must start with a thread, rather than in the canonical one.
  bool as_written = false;
};

struct Event {
  Direction direction = Direction::read;
  Annotation annotation;
  std::uint32_t thread = 0;
  std::uint32_t location = 0;
  std::int64_t value = 0;  // written, or read in the cycle
  bool asked = false;      // a read whose value the condition asks for
};

// The demands on one location that make its coherence order that of the cycle.
struct Witness {
  std::uint32_t location = 0;
  std::optional<std::int64_t> final_value;
  std::vector<std::int64_t> observed;  // by the loads of an observer thread, in order
};

struct Layout {
  Cycle cycle;                // canonical, unless as written
  std::vector<Event> events;  // one per step
  std::uint32_t threads = 0;
  std::uint32_t locations = 0;
  std::vector<Witness> witnesses;             // by location
  std::vector<litmus::Placement> placements;  // one per thread, observers not included
};

// Requires a cycle without mistakes (see check()).
//
// A location's events follow each other in the cycle: its writes are in coherence order as the walk meets them, and a
// read sees the write the walk met last. Where a whole cycle has one location, its edges of program order are the ones
// violated: they carry no value, and the walk starts after the one that needs the fewest observations.
Layout lay_out(const Cycle& cycle, const LayoutOptions& options = {});

}  // namespace weakspot::gen
