// The checker's answer for the common access, put into the kernel itself: a plain access to aligned words that
// conflicts with nothing, judged by the bounds of its block. Decides and remembers exactly as race::Detector would;
// whatever needs more than comparisons is left to the hook.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "race/entry.h"

namespace weakspot::race_jit {

// What the text says of where a pointer points. A wrong guess costs time only.
enum class Guess { shared, global };
Guess guess_space(const llvm::Value* pointer);

struct PlainAccess {
  llvm::Value* pointer = nullptr;  // generic
  unsigned words = 1;              // 1, 2 or 4, aligned to their size
  bool write = false;
  Guess space = Guess::global;
  race::SiteId site = 0;
  bool note_site = false;   // for whoever asks where a thread is
  bool note_write = false;  // for whoever asks whether memory changes
};

// The checks of one function. Between synchronisations what they compare with stays in registers.
class InlineCheck {
 public:
  explicit InlineCheck(llvm::Function& function);

  // Checks before `at`, which is moved into a block of its own; `slow` makes the call of the hook. Gives the pointer to
  // use.
  llvm::Value* access(llvm::Instruction& at, const PlainAccess& access,
                      llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> slow);
  // Ends the function: what calls may have changed is read again after them, and accesses are counted.
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
  llvm::Instruction* start_ = nullptr;  // what follows the loads at the entry
  llvm::Value *state_ = nullptr, *bounds_ = nullptr, *shared_ = nullptr, *shared_words_ = nullptr,
              *shared_cells_ = nullptr, *windows_ = nullptr;
  // Copies of what synchronisation changes; they become registers.
  llvm::AllocaInst *now_ = nullptr, *shared_settled_ = nullptr, *stale_ = nullptr, *foreign_ = nullptr,
                   *settled_ = nullptr, *own_end_ = nullptr, *count_ = nullptr;
};

}  // namespace weakspot::race_jit
