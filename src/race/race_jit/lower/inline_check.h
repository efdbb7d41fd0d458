// SPDX-License-Identifier: MIT
// Puts the checker's answer for the common access into the kernel itself: a plain access to aligned words that
// conflicts with nothing, judged by the bounds of its block. It decides and remembers exactly as race::Detector would,
// and leaves everything that needs more than comparisons to the hook.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "race/entry.h"

namespace weakspot::race_jit {

// The space to which a pointer seems to point, judging by the code. A wrong guess only costs time.
enum class Guess { shared, global };
Guess guess_space(const llvm::Value* pointer);

struct PlainAccess {
  llvm::Value* pointer = nullptr;  // generic
  unsigned words = 1;              // 1, 2 or 4, aligned to their size
  bool write = false;
  Guess space = Guess::global;
  race::SiteId site = 0;
  bool note_site = false;   // record the site, to tell later where the thread was
  bool note_write = false;  // record that memory has changed
};

// The checks of one function. Between synchronisations, the bounds they compare with stay in registers.
class InlineCheck {
 public:
  explicit InlineCheck(llvm::Function& function);

  // Inserts the check before `at`, which is moved into a block of its own; `slow` builds the call of the hook. Returns
  // the pointer to use.
  llvm::Value* access(llvm::Instruction& at, const PlainAccess& access,
                      llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> slow);
  // Completes the function: after calls, what they may have changed is read again; accesses are counted.
  void finish();

 private:
  using Builder = llvm::IRBuilder<>;
  struct Cell;

  llvm::AllocaInst* variable(const char* name);
  llvm::Value* field(Builder& builder, llvm::Value* object, std::uint64_t offset);
  llvm::Value* invariant(llvm::Type* type, std::uint64_t context_offset, const char* name);
  llvm::Value* get(Builder& builder, llvm::AllocaInst* variable);
  void reload(Builder& builder);
  Cell load_cell(Builder& builder, llvm::Value* cells, llvm::Value* index, unsigned words, unsigned word);
  llvm::Value* same_thread(Builder& builder, llvm::Value* entry, std::uint64_t and_without = 0);
  llvm::Value* is_foreign(Builder& builder, llvm::Value* entry);
  llvm::Value* harmless(Builder& builder, llvm::Value* entry, Guess space);
  llvm::Value* may_pass(Builder& builder, const Cell& cell, const PlainAccess& access);
  void remember(Builder& builder, const Cell& cell, const PlainAccess& access);

  llvm::Function& function_;
  llvm::Instruction* context_ = nullptr;
  llvm::Instruction* start_ = nullptr;  // the first instruction behind the loads at the entry
  llvm::Value *state_ = nullptr, *bounds_ = nullptr, *shared_ = nullptr, *shared_words_ = nullptr,
              *shared_cells_ = nullptr, *windows_ = nullptr;
  // Copies of what synchronisation changes; they become registers.
  llvm::AllocaInst *now_ = nullptr, *shared_settled_ = nullptr, *stale_ = nullptr, *foreign_ = nullptr,
                   *settled_ = nullptr, *own_end_ = nullptr, *count_ = nullptr;
};

}  // namespace weakspot::race_jit
