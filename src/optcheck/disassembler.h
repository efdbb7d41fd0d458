// SPDX-License-Identifier: MIT
// Listings of NVIDIA's machine code, from the disassemblers of the CUDA toolkit where they are installed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace weakspot::optcheck {

// The error names what is missing.
base::Result<std::string> disassemble_cubin(std::span<const std::uint8_t> image);

}  // namespace weakspot::optcheck
