// SPDX-License-Identifier: MIT
// The size of a test for a conformance suite, its buffers, and the words that its check counts in.
#pragma once

#include <cstdint>

namespace weakspot::codegen {

// The buffers of the program.
enum SuiteBuffer : std::uint32_t { kSuiteMemory, kSuiteResults, kSuiteCounts, kSuiteBuffers };

// Words of the buffer `counts`. One word per outcome follows.
enum SuiteCount : std::uint32_t {
  kSuiteForbidden,  // instances whose outcome is not allowed, unexpected values included
  kSuiteInstances,  // all
  kSuiteZero,       // 0: compilers must not know it
  kSuiteOutcomes,
};

struct SuiteShape {
  std::uint32_t workgroups = 64;
  std::uint32_t workgroup_size = 64;
};

}  // namespace weakspot::codegen
