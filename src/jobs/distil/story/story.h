// SPDX-License-Identifier: MIT
// A race as a litmus test: the accesses, fences and barriers of its witness with the orders and scopes that they have
// in the source, and the question whether the second access can miss the first although the threads communicated.
#pragma once

#include <string>

#include "base/result.h"
#include "litmus/test.h"
#include "race/report.h"

namespace weakspot::distil {

// Whether the race is about the order of memory: the threads communicated between the two accesses, or one of the two
// is atomic, or two blocks access plainly what is elsewhere accessed atomically. Other races need a barrier, or another
// algorithm.
bool is_about_order(const race::Finding& finding);

// The test of such a finding. Fails, with the reason, if the litmus tests of PTX cannot say it.
base::Result<litmus::LitmusTest> story_test(const race::Finding& finding, const std::string& name);

}  // namespace weakspot::distil
