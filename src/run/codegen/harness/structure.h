// SPDX-License-Identifier: MIT
// From branches and labels to nested blocks and loops, which every target can express: a jump forward leaves a block
// that ends at the label, a jump backward goes round a loop that starts at it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"

namespace weakspot::litmus {
struct Instruction;
}  // namespace weakspot::litmus

namespace weakspot::codegen {

// A range of instructions that is a block or a loop. Ranges nest; those that begin at the same instruction are listed
// outermost first.
struct Region {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool loop = false;
  std::size_t label = 0;  // the position of the label: where jumps leave a block, or the `begin` of a loop

  friend bool operator==(const Region&, const Region&) = default;
};

// Fails for a jump into the middle of a loop.
base::Result<std::vector<Region>> find_regions(const std::vector<litmus::Instruction>& code);

// The position of a branch's label.
std::size_t position_of_label(const std::vector<litmus::Instruction>& code, const std::string& label);

}  // namespace weakspot::codegen
