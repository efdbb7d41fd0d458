// SPDX-License-Identifier: MIT
// Tests with one part less, to look for the smallest one that still shows something.
#pragma once

#include <vector>

#include "litmus/test.h"

namespace weakspot::compile {

// The tests without one of the threads, then those without one of the instructions. They observe what is left of what
// the test observes, and ask nothing.
std::vector<litmus::LitmusTest> smaller_tests(const litmus::LitmusTest& test);

}  // namespace weakspot::compile
