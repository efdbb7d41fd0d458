// SPDX-License-Identifier: MIT
// Numbers the places of a module's instructions, as the user sees them: lines of our own headers and of
// clang's are replaced by where they were used.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "race/entry.h"
#include "race/site.h"
#include "race_jit/bitcode/branch_sides.h"
#include "race_jit/lower/gaps.h"

namespace weakspot::race_jit {

class SiteTable {
 public:
  SiteTable(std::vector<race::Site>& sites, std::vector<std::string> own_folders, BranchSides& sides, Gaps& gaps)
      : sites_(sites), own_folders_(std::move(own_folders)), sides_(sides), gaps_(gaps) {}

  // The number of the instruction's place. Places past the last number share it: kOverflow.
  race::SiteId of(const llvm::Instruction& instruction, const llvm::Value* pointer = nullptr, std::uint64_t size = 0);

  // Notes the address that an atomic accesses, which has the place of its call; size 0: not known.
  void mark_address(race::SiteId site, const llvm::Value* pointer, unsigned size);
  // The first line of the user's in a block of code; none if all of it is from headers which are not the user's.
  race::Place place_of(const llvm::BasicBlock& block);
  // All lines of the user's in it.
  std::set<std::pair<std::string, unsigned>> lines_of(const llvm::BasicBlock& block);

  static constexpr race::SiteId kOverflow = 0xffff;
  // The number of places that found no number of their own.
  std::uint64_t unnumbered() const { return unnumbered_; }

 private:
  struct File {
    std::string path;
    bool own = false;  // not the user's
  };
  const File& file(const llvm::DIFile& file);

  std::vector<race::Site>& sites_;
  std::vector<std::string> own_folders_;  // folders whose lines are not the user's
  BranchSides& sides_;
  Gaps& gaps_;
  std::unordered_map<const llvm::DIFile*, File> files_;
  std::uint64_t unnumbered_ = 0;
};

// The path of a source file as a person would write it here: relative where it lies below the working folder.
std::string source_path(const llvm::DIFile& file);

// The source's name for a pointer, as far as the instructions tell: a variable or an argument.
std::string variable_name(const llvm::Value* pointer);

}  // namespace weakspot::race_jit
