// SPDX-License-Identifier: MIT
// Compiled tests with one instruction weakened: what a compiler could have written instead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "litmus/test.h"

namespace weakspot::compile {

struct Weaker {
  litmus::LitmusTest test;
  std::uint32_t thread = 0;
  std::size_t index = 0;  // number of the instruction
  bool removed = false;   // the instruction is gone
};

// Every way to weaken one instruction by a step, mildest first. Observed registers keep their places.
std::vector<Weaker> weaker_tests(const litmus::LitmusTest& test);

// "P1 `LDAR W8,[X9]` could be `LDAPR W8,[X9]`"
std::string weaker_text(const litmus::LitmusTest& test, const Weaker& weaker);

}  // namespace weakspot::compile
