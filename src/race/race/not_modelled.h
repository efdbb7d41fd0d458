// SPDX-License-Identifier: MIT
// What the checker does not follow: operations of a kernel or calls of the host whose meaning is missing from a run,
// and kernels that did not run. Both keep a report from being clean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "race/site.h"

namespace weakspot::race {

// What is missing from a run where an operation is left out, the gravest last.
enum class Effect : std::uint8_t {
  none,          // nothing: a prefetch
  stronger,      // it ran as something stronger: races may be missed, but none is made up
  asynchronous,  // it belongs to asynchronous accesses, which are not seen, and orders no other accesses
  grids,         // it orders grids that overlap, and nothing within a grid
  call,          // a call of the host, which fails
  value,         // a result, which is taken as zero
  memory,        // accesses to memory, with what they bring
  order,         // it may order accesses of threads
  unknown,       // it may be anything
};

// "order", as reports in JSON have it.
std::string_view effect_word(Effect effect);
// The effect of that word; unknown if there is none.
Effect effect_of_word(std::string_view word);
// "may order accesses"
std::string_view effect_text(Effect effect);

// Whether what a thread does afterwards may differ from what it would do on a GPU: then races and divergences that
// follow are only possible ones.
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
