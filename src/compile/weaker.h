// SPDX-License-Identifier: MIT
// Compiled tests with one instruction weakened: what a compiler could have written instead.
#pragma once

#include <string>
#include <vector>

#include "litmus/test.h"

namespace weakspot::compile {

struct Weaker {
  litmus::LitmusTest test;
  std::string text;  // "P1 `LDAR W8,[X9]` could be `LDAPR W8,[X9]`"
};

// Every way to weaken one instruction by a step, mildest first. Observed registers keep their places.
std::vector<Weaker> weaker_tests(const litmus::LitmusTest& test);

}  // namespace weakspot::compile
