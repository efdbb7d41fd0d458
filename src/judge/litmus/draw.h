// SPDX-License-Identifier: MIT
// A test as people draw it: one column per thread, inside boxes for the workgroups and other levels of the scope tree,
// with the initial state above and the condition below.
#pragma once

#include <string>

namespace weakspot::litmus {

struct LitmusTest;

struct DrawOptions {
  bool ascii = false;  // boxes of + - | instead of line-drawing characters
};

std::string draw(const LitmusTest& test, const DrawOptions& options = {});

// "x = 0, shared y = 1, 0:r0 = 2": all locations, and the registers that do not start at 0.
std::string initial_state_text(const LitmusTest& test);
// "scopes (wg P0 P1)" and what else places the threads, in lines; empty: the text does not place them.
std::string placement_text(const LitmusTest& test);

}  // namespace weakspot::litmus
