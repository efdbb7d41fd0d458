// SPDX-License-Identifier: MIT
// Runs a CPU program: teams of pinned workers, their barriers, workers that stress, and the deadline.
#pragma once

#include <chrono>
#include <vector>

#include "backend/device.h"
#include "codegen/cpu_program.h"

namespace weakspot::backend {

// The cores that this process may use.
std::vector<int> usable_cores();

// Keeps the calling thread on the core, as far as the system lets it.
void pin_to(int core);

// `functions` are the roles of the program, in order.
RunResult run_cpu(const codegen::CpuProgram& program, const std::vector<codegen::CpuFunction>& functions,
                  const codegen::Launch& launch, const std::vector<int>& cores, std::chrono::milliseconds deadline);

}  // namespace weakspot::backend
