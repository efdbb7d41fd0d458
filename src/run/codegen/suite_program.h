// SPDX-License-Identifier: MIT
// A test as conformance suites run it: two kernels of a fixed size, and no host that understands the test.
//
// Kernel `test` runs one instance per thread, every thread taking each role in another instance. Kernel `check` reads
// what the instances ended with, counts their outcomes, and clears memory for the next run of `test`. A host that
// zeroes the buffers once can run the two in turn as often as it likes, and compares two words at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"
#include "codegen/suite_shape.h"
#include "litmus/outcome.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::codegen {

struct SuiteProgram {
  DeviceProgram program;  // entries `test` and `check`; for SPIR-V with bound buffers
  SuiteShape shape;       // of both entries
  std::uint32_t instances = 0;
  std::vector<std::uint32_t> buffer_words;  // by SuiteBuffer
  std::vector<litmus::Outcome> outcomes;    // outcome N is counted in word kSuiteOutcomes + N
};

// Refuses tests that the target or this form cannot express: loops, 64 bits, addresses as values, shared memory,
// initial values other than 0.
base::Result<SuiteProgram> make_suite_program(const litmus::LitmusTest& test, Target target,
                                              const litmus::OutcomeSet& allowed, const SuiteShape& shape = {});

}  // namespace weakspot::codegen
