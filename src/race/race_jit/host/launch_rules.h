// SPDX-License-Identifier: MIT
#pragma once

#include "race/launch_shape.h"

namespace weakspot::race_jit {

// Whether a GPU would accept the launch.
bool is_valid_launch(const race::LaunchShape& call);

}  // namespace weakspot::race_jit
