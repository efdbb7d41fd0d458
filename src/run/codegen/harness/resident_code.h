// SPDX-License-Identifier: MIT
// The instructions that only resident tests have, as statements of a kernel.
#pragma once

#include <vector>

#include "codegen/harness/harness.h"
#include "codegen/kernel/kernel_builder.h"

namespace weakspot::codegen {

// The role that runs, and where its instance is.
struct ResidentRole {
  std::size_t thread = 0;
  std::vector<Place> places;  // by location
  std::vector<Var> registers;
  Var lane;
  Var unfinished;
};

void write_resident_step(KernelBuilder& builder, const Harness& harness, const ResidentRole& role,
                         const litmus::Instruction& instruction);

// Waits until the phase is over. Sets `unfinished` and goes on if that takes too long.
void write_mbarrier_wait(KernelBuilder& builder, const MbarrierStep& step, std::uint32_t bound, Var unfinished);

}  // namespace weakspot::codegen
