// SPDX-License-Identifier: MIT
// Draws random environments.
#pragma once

#include "base/rng.h"
#include "codegen/environment.h"

namespace weakspot::codegen {

struct DrawLimits {
  int workgroup_size = 256;
};

// Draws every parameter of the table, choices included, from ranges that make sense on a GPU. The mode and the
// launch parameters come from `base`.
TestEnvironment draw_environment(base::Rng& rng, const TestEnvironment& base, const DrawLimits& limits);

}  // namespace weakspot::codegen
