// SPDX-License-Identifier: MIT
// Names, in sentences, the waits and fences that an execution lacks to order its operations on tensor memory.
#pragma once

#include <string>
#include <vector>

#include "model/execution/frame.h"

namespace weakspot::model {

struct Witness;

// True for the steps of tcgen05 operations, the arrivals of tcgen05.commit left out.
bool is_tensor_step(const Event& event);

// A remark for each pair of accesses that the program has in this order, by what its threads tell each other in any
// way, and that the execution has in the other one.
std::vector<std::string> tensor_remarks(const Witness& witness);

}  // namespace weakspot::model
