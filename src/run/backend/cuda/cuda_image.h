// SPDX-License-Identifier: MIT
// PTX -> machine code that can be looked at before it runs, with the lines of the PTX that its instructions come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cuda_driver.h"
#include "base/result.h"

namespace weakspot::backend::cuda {

// By ptxas where the toolkit is installed, else by the driver's linker. The linker's code is not what the driver makes
// of PTX otherwise: it has shared loads and second fences beside each fence. The context must be current.
base::Result<std::vector<std::uint8_t>> make_image(const Driver& driver, const std::string& ptx, unsigned arch);

}  // namespace weakspot::backend::cuda
