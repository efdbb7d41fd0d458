// SPDX-License-Identifier: MIT
// The accesses of one execution, for those who tell it in words of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "litmus/value.h"

namespace weakspot::model {

struct Witness;

struct WitnessStep {
  litmus::ThreadId thread;
  std::uint32_t instruction = 0;  // index into the thread's instructions
  bool write = false;             // else a read
  litmus::LocationId location;    // the one that is named, or the first element of its array
  litmus::Value value;
  // For reads: the step of the write that is read; none: the initial one.
  std::optional<std::size_t> from;
};

// Thread by thread in program order.
std::vector<WitnessStep> steps_of(const Witness& witness);

}  // namespace weakspot::model
