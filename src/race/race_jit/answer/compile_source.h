// SPDX-License-Identifier: MIT
// Compiles sources that a program brings while it runs, in the form that nvrtc takes them.
#pragma once

#include "race/request.h"
#include "race_jit/host/program_table.h"

namespace weakspot::race_jit {

// The variable with the files and folders that the program sees, one in each line; without it, it sees all.
inline constexpr const char* kReadableVariable = "WEAKSPOT_RACE_READABLE";

// `request` has what all sources of the program have in common: our headers, the device's architecture.
CompiledSource compile_program_source(const SourceToCompile& source, const race::Request& request);

}  // namespace weakspot::race_jit
