// SPDX-License-Identifier: MIT
// The events and the dependences of a thread as its text has them. What an access or a fence becomes is the business of
// a target.
#pragma once

#include <functional>
#include <vector>

#include "litmus/access.h"
#include "litmus/test.h"
#include "optcheck/compare/event.h"

namespace weakspot::optcheck {

// The events of an instruction: none for a fence that needs no instruction, two for an access with a fence before it.
// The last one is the access.
using ExpectEvents = std::function<std::vector<ExpectedEvent>(const litmus::Instruction&)>;

ExpectedThread expect_thread(const litmus::Thread& thread, const ExpectEvents& events_of);

// One order for both ends of a compare-and-swap: strong enough for either.
litmus::Order rmw_order(const litmus::Rmw& rmw);

}  // namespace weakspot::optcheck
