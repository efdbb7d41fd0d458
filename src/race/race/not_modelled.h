// SPDX-License-Identifier: MIT
// Gaps in what the checker follows: operations of a kernel or calls of the host whose meaning is missing from a run,
// and kernels that did not run. Both keep a report from being clean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "race/site.h"

namespace weakspot::race {

// The loss to a run where an operation is left out, the gravest last.
enum class Effect : std::uint8_t {
  none,          // nothing: a prefetch
  stronger,      // the operation ran as something stronger: races may be missed, but none is made up
  asynchronous,  // part of asynchronous accesses, which are not seen; orders no other accesses
  grids,         // orders grids that overlap, and nothing within a grid
  call,          // a call of the host, which fails
  value,         // a result, which is taken as zero
  memory,        // accesses to memory, with what they bring
  order,         // may order accesses of threads
  unknown,       // may be anything
};

// "may order accesses"
std::string_view effect_text(Effect effect);

// Whether the thread may go on in another way than on a GPU: then races and divergences that follow are only possible
// ones.
inline bool casts_doubt(Effect effect) { return effect > Effect::grids; }

struct NotModelled {
  std::string what;  // "inline PTX 'griddepcontrol.wait;'"
  Place place;
  Effect effect = Effect::unknown;
  bool reached = true;  // false: the code has it, but no run executed it
};

struct NotExercised {
  std::string kernel;
  Place place;
  std::string reason;  // "never launched"
};

}  // namespace weakspot::race
