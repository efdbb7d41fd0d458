// SPDX-License-Identifier: MIT
// The initial state and the observed items of a test in the spelling that herd7 hashes.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::litmus::herd {

// "0:X1=x; x=1": sorted, registers by thread and name before locations by name.
std::string initial_state(std::string_view init);

// "0:X1; x": the items of `locations` and of the condition, sorted likewise, each once.
std::string observed_items(std::string_view condition);

}  // namespace weakspot::litmus::herd
