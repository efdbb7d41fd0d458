// SPDX-License-Identifier: MIT
// The threads that a test needs, and those that it can do without.
#pragma once

#include <vector>

#include "prove/prove.h"
#include "residual/residual.h"

namespace weakspot::prove {

struct Cast {
  std::vector<std::size_t> actors;  // ascending
  std::vector<LeftOutThreads> left_out;
};

// A thread is left out if it touches no memory that another one changes, or if it only reads there and does the same as
// an actor of its block. It must come to every barrier that the others come to, as often as they do.
Cast choose_actors(const residual::Residual& residual);

}  // namespace weakspot::prove
