// SPDX-License-Identifier: MIT
// Finds instructions on different sides of a branch, so that a warp that takes both sides may execute them in either
// order: neither can be reached from the other except around a loop that both are in.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/Module.h>

#include <unordered_map>
#include <vector>

#include "race/entry.h"

namespace weakspot::race_jit {

class BranchSides {
 public:
  // Looks at all functions, before anything is inserted into them.
  void read(llvm::Module& module);
  // The site stands for this instruction. One that did not exist at read() is ignored.
  void place(race::SiteId site, const llvm::Instruction& instruction);
  bool are_sides(race::SiteId a, race::SiteId b) const;

 private:
  struct Position {
    std::size_t function = 0;  // 0: not known
    std::size_t block = 0;
  };

  std::unordered_map<const llvm::Instruction*, Position> instructions_;
  std::vector<Position> sites_;
  std::vector<std::vector<llvm::BitVector>> reaches_;  // by function - 1, from, to
};

}  // namespace weakspot::race_jit
