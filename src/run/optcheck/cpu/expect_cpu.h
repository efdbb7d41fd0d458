// SPDX-License-Identifier: MIT
// The code that a thread of a test must become on a CPU: the mapping that docs/targets.md promises, said a second time
// and apart from the code generator.
#pragma once

#include "codegen/device_program.h"
#include "litmus/test.h"
#include "optcheck/cpu/read_cpu.h"

namespace weakspot::optcheck {

ExpectedThread expect_cpu(const litmus::LitmusTest& test, std::size_t thread, codegen::CpuIsa isa,
                          const CpuPlaces& places);

// The locations that a thread names, in the order of their numbers: the columns of its rows.
std::vector<std::uint32_t> named_locations(const litmus::Thread& thread);

}  // namespace weakspot::optcheck
