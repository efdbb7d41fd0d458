// SPDX-License-Identifier: MIT
// Lower bounds of a model's relations while reads-from, coherence and the order of a `with` are still being chosen.
//
// Most checks can only become worse as more is chosen, so a partial candidate that fails one is given up. A model that
// subtracts chosen relations ("the next write": co \ (co; co)) has checks that may also become better. For these a
// smaller relation is made that only grows: the subtracted relation is replaced by an upper bound. A check that fails
// on the smaller relation fails in the end.
//
// An order that is chosen pair by pair has a bound from above as well: all pairs but the reverse of those chosen. Once
// the order is total, the two are the same.
#pragma once

#include <vector>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model {

// Sets Step::below of the checks for which a bound is useful, and Step::ordered of those that depend on an order.
void add_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks);

}  // namespace weakspot::model
