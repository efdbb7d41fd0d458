// SPDX-License-Identifier: MIT
// A CPU program from a harness: where its memory lies, and one function of machine code per thread of the test.
#pragma once

#include <string>

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "codegen/harness/harness.h"

namespace weakspot::codegen {

// Fails if the memory of one iteration is too large, or if a thread needs more registers than the machine has.
base::Result<CpuProgram> build_cpu_program(const Harness& harness, const CpuFeatures& features);

// The functions as text.
std::string print_cpu(const CpuProgram& program);

}  // namespace weakspot::codegen
