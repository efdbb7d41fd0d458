// SPDX-License-Identifier: MIT
// The checker beside a program that weakspot-nvcc built; see host/built_program.h. Its report goes to the folder that
// WEAKSPOT_RACE_REPORTS names, one file for each process, or else to standard error if there is anything to say.
#pragma once

namespace weakspot::race_jit {

// Serves the program over the descriptors of host/program_table.h until it ends. The exit code of this process.
int serve_program();

}  // namespace weakspot::race_jit
