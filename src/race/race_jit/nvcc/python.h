// SPDX-License-Identifier: MIT
// weakspot-nvcc --python: runs a Python program whose CUDA extensions weakspot-nvcc compiles, see cuda/pytorch.
#pragma once

#include <string>
#include <vector>

#include "race_jit/nvcc/places.h"

namespace weakspot::race_jit {

// The words are Python's: a script and its arguments, "-m MODULE" or "-c TEXT". Returns an exit code only if Python
// cannot be started.
int run_python(const NvccPlaces& places, const std::vector<std::string>& words);

}  // namespace weakspot::race_jit
