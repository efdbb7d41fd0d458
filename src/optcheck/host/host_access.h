// SPDX-License-Identifier: MIT
// The accesses and fences in compiled code that come from one line of the source.
#pragma once

#include <string>
#include <vector>

#include "optcheck/host/callee.h"

namespace weakspot::optcheck {

struct HostAccess {
  std::size_t at = 0;  // the number of the instruction, or of the call
  CalleeEvent what;    // the registers are those before the instruction
  bool call = false;
};

struct LineAccesses {
  std::vector<HostAccess> all;  // in the order of the code
  std::string problem;          // why they are not all known; else empty
};

using KnownValues = std::vector<std::optional<HostValues>>;

LineAccesses accesses_of_line(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values,
                              std::size_t line, bool atomic);

// Accesses and fences without a line, which may come from any; a problem where that is not known.
LineAccesses strays_of(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values);

}  // namespace weakspot::optcheck
