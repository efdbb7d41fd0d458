// SPDX-License-Identifier: MIT
// Translates the body of one function of PTX.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "race/ptx_text.h"
#include "race_jit/from_ptx/places.h"

namespace weakspot::race_jit {

// A function as its callers see it.
struct PtxCallee {
  llvm::Function* function = nullptr;
  const race::ptx::Function* from = nullptr;
};

// The variable that a driver makes for a cooperative launch: %envreg1 and %envreg2 are the halves of its address, and
// grid.sync() counts the blocks in its second word.
inline constexpr const char* kGridWorkspace = "grid_workspace";

// Registers that point to kReservedShared.
inline constexpr const char* kReservedOffset = "%reserved_smem_offset_";
inline constexpr std::uint64_t kReservedSize = 1024;

// Whether a parameter or a result is a number, not a structure.
bool is_scalar(const race::ptx::Variable& variable);
// Whether results are written where the last parameters point, and not returned: a structure, or several.
bool by_pointer(const race::ptx::Function& function);

class FunctionTranslator {
 public:
  FunctionTranslator(const PtxCallee& callee, const std::map<std::string, PtxCallee>& functions,
                     const std::map<std::string, llvm::GlobalVariable*>& variables, PtxPlaces& places);

  // The body, with registers as values and addresses as pointers.
  void run();

 private:
  using Instruction = race::ptx::Instruction;
  using Operand = race::ptx::Operand;
  using Value = llvm::Value;
  using Type = llvm::Type;

  void prepare_blocks();
  void prepare_memory();
  void translate(const Instruction& instruction);
  void leave();

  // True if the instruction is plain code, which is then made.
  bool plain(const Instruction& instruction);
  bool jump(const Instruction& instruction);
  bool jump_by_table(const Instruction& instruction);
  bool move(const Instruction& instruction);
  bool move_parts(const Instruction& instruction);
  bool access(const Instruction& instruction);
  bool call(const Instruction& instruction);
  bool predicates(const Instruction& instruction);
  bool choose(const Instruction& instruction);
  bool compare(const Instruction& instruction);
  bool convert(const Instruction& instruction);
  bool compute(const Instruction& instruction);
  bool reduce_warp(const Instruction& instruction);
  Value* product(const Instruction& instruction, Type* type, bool is_signed);
  Value* quotient(Value* a, Value* b, bool is_signed, bool remainder);
  // Any other instruction, as inline assembly.
  void assembly(const Instruction& instruction);

  Type* integer(unsigned bytes) { return builder_.getIntNTy(8 * bytes); }
  Type* register_type(std::size_t reg);
  Value* reg(std::size_t index);
  void set_reg(std::size_t index, Value* value);
  // Writes a result to a register, or nowhere. False for any other operand.
  bool assign(const Operand& operand, Value* value, bool is_signed = false);
  // The value of a register, a number, a variable's address or a special register, as an integer of this type; null
  // for anything else.
  Value* value(const Operand& operand, Type* type);
  Value* special(const std::string& name);
  // The address of a variable, as a number of 64 bits; null if there is none of that name.
  Value* variable_address(const std::string& name);
  // The pointer of a memory operand; null if it is not one.
  Value* pointer(const Operand& operand, bool shared);
  Value* scalar_parameter(const Operand& operand);
  // Memory of the parameter space: parameters, results, and those of calls.
  llvm::Value* structure_parameter(const std::string& name) const;
  Value* parameter_memory(const Operand& operand);

  const race::ptx::Function& from_;
  llvm::Function& function_;
  const std::map<std::string, PtxCallee>& functions_;
  const std::map<std::string, llvm::GlobalVariable*>& variables_;
  PtxPlaces& places_;
  llvm::IRBuilder<> builder_;
  llvm::Instruction* entry_end_ = nullptr;           // of the block in front of the code
  std::map<std::size_t, llvm::BasicBlock*> blocks_;  // by the instruction at which they begin
  std::vector<llvm::AllocaInst*> registers_;
  llvm::AllocaInst* carry_ = nullptr;     // the flag of add.cc and its like, a word
  std::map<std::string, Value*> memory_;  // parameters, results and local variables
  std::map<std::string, Value*> addresses_;
};

}  // namespace weakspot::race_jit
