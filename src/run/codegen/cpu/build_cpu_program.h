// SPDX-License-Identifier: MIT
// A CPU program from a harness: where its memory lies, and one function of machine code per thread of the test.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "codegen/harness/harness.h"

namespace weakspot::codegen {

// Fails if the memory of one iteration is too large, or if a thread needs more registers than the machine has.
// `elsewhere` says which roles another processor runs: they have a place for their results, and no code. Empty: none.
base::Result<CpuProgram> build_cpu_program(const Harness& harness, const CpuFeatures& features,
                                           std::vector<bool> elsewhere = {});

// The functions as text.
std::string print_cpu(const CpuProgram& program);

}  // namespace weakspot::codegen
