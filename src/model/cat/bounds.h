// What a relation of a model has in any case, while reads-from and coherence are still being chosen.
//
// Most checks can only become worse as more is chosen, so a partial candidate that fails one is given up. A model that
// subtracts what is chosen ("the next write": co \ (co; co)) has checks that may also become better. For these a
// smaller relation is made that only grows: what is subtracted is replaced by the most it can ever be. If the check
// fails on that, it fails in the end.
#pragma once

#include <vector>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model {

// Sets Step::below of the checks for which that is of use.
void add_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks);

}  // namespace weakspot::model
