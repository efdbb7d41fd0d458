// SPDX-License-Identifier: MIT
// A launch as the device runs it.
#pragma once

#include <cstdint>
#include <vector>

#include "race/detector.h"
#include "race/launch_shape.h"
#include "race/request.h"

namespace weakspot::race_jit {

using race::Extent;
using race::Schedule;

// A launch that the machine runs. The cluster divides the grid.
struct LaunchRequest : race::LaunchShape {
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
  std::uint64_t static_shared = 0;  // bytes of shared variables, beside the dynamic ones
  // Launches that may run at the same time, by their intervals. Their blocks have other numbers.
  std::vector<race::IntervalRange> concurrent;
  race::IntervalRange prerequisite;  // the one of them that this one depends on
  std::uint64_t first_block = 0;
  bool keep_history = false;  // a later launch may be concurrent with earlier ones
  std::uint64_t seed = 1;     // seed of a random schedule
  unsigned cores = 1;         // cores that may share the blocks

  std::uint64_t shared_bytes() const { return static_shared + shared; }
  bool has_clusters() const { return cluster.count() > 1; }
  bool has_other_clusters() const { return grid.count() > cluster.count(); }
};

}  // namespace weakspot::race_jit
