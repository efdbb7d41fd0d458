// SPDX-License-Identifier: MIT
// PTX -> machine code that can be looked at before it runs, with the lines of the PTX that its instructions come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cuda/cuda_driver.h"
#include "base/result.h"

namespace weakspot::backend::cuda {

// By the driver's own compiler, or by ptxas where the driver leaves the lines out. The context must be current.
base::Result<std::vector<std::uint8_t>> make_image(const Driver& driver, const std::string& ptx, unsigned arch);

}  // namespace weakspot::backend::cuda
