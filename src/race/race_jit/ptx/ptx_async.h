// SPDX-License-Identifier: MIT
// The instructions of PTX about asynchronous copies, mbarriers and the async proxy.
#pragma once

#include <string>
#include <string_view>

#include "race_jit/ptx/ptx_tools.h"

namespace weakspot::race_jit {

bool is_ptx_async(const PtxInstruction& instruction);
// False if it is not one that is modelled.
bool lower_ptx_async(const PtxInstruction& instruction, const PtxTools& with);

// A loop around a wait at an mbarrier, with labels and branches, as one instruction that waits: "mbarrier.try_wait"
// with the word "blocking". Any other text stays as it is.
std::string without_wait_loop(std::string_view text);

}  // namespace weakspot::race_jit
