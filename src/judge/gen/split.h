// SPDX-License-Identifier: MIT
// Tests of one processor as tests of two: the threads of a test divided between a CPU and a GPU.
#pragma once

#include <vector>

#include "litmus/test.h"

namespace weakspot::gen {

// The test with at least one thread on either side, in every way; of those that are the same test under other names,
// the first. "SB-gc" has its first thread on the GPU and its second on the CPU. Every thread on the GPU is in a
// workgroup of its own, and its accesses and fences reach the system. Empty for tests that already place their threads,
// and for those with more than a CPU has: barriers, asynchronous operations, other proxies, shared memory.
std::vector<litmus::LitmusTest> splits(const litmus::LitmusTest& test);

}  // namespace weakspot::gen
