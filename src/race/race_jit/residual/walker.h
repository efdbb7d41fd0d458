// SPDX-License-Identifier: MIT
// The walk of one thread through its points; see evaluator.h.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "race_jit/residual/evaluator.h"
#include "race_jit/residual/registers.h"
#include "race_jit/residual/type_facts.h"
#include "race_jit/residual/values.h"

namespace weakspot::race_jit {

class Walker {
 public:
  Walker(ResidualProgram& program, const SteadyAddresses& addresses, const race::LaunchShape& launch,
         std::uint64_t block, std::uint64_t thread, std::uint64_t shared_bytes, const SharedKnowledge& knowledge,
         const ResidualLimits& limits);

  EvaluatedThread run(void** arguments);

 private:
  using Instruction = llvm::Instruction;
  using Value = PartialValue;
  using Kind = residual::Kind;
  using Op = residual::Op;
  using Stop = residual::Stop::Kind;

  struct Point {
    const Instruction* at = nullptr;
    std::map<unsigned, Value> values;  // by number of the instruction
    PartialMemory memory;
    unsigned phase = 0;   // barriers of the block behind it, up to kLate
    unsigned forked = 0;  // barriers since a branch on what others write, plus 1; only for kMostPhasesBehindFork
    std::uint32_t label = 0;
  };

  // ---- points ----
  void take_arguments(void** arguments);
  void follow(Point point);
  bool step(const Instruction& instruction);  // false: the point ends here
  void leave_block(const Instruction& instruction);
  void go(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void go_if(const residual::Instruction& branch, const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void split(const Instruction& instruction, const Value& value, std::uint64_t address, std::uint8_t size);
  std::uint32_t label_of(Point point);
  void stop(const Instruction& instruction, Stop kind, const std::string& what);

  // ---- values ----
  Value operand(const llvm::Value* value);
  Value constant_value(const llvm::Constant& constant);
  Value held(const Instruction& instruction, const Value& value, llvm::Type* type, std::uint64_t part = 0);
  void need_known(const Instruction& instruction, const llvm::Value* value, const std::string& what);

  // ---- computing ----
  Value compute(const Instruction& instruction);
  Value each_part(const Instruction& instruction, const std::vector<Value>& operands);
  Value scalar(const Instruction& instruction, const std::vector<Value>& operands, llvm::Type* from, llvm::Type* to,
               std::uint64_t part);
  Value folded(const Instruction& instruction, const std::vector<Value>& operands, llvm::Type* from, llvm::Type* to);
  Value symbolic(const Instruction& instruction, const std::vector<Value>& operands, llvm::Type* from, llvm::Type* to,
                 std::uint64_t part);
  Value address_of(const llvm::GEPOperator& gep, const Instruction& instruction);
  Value choose(const llvm::SelectInst& select);
  Value intrinsic(const llvm::IntrinsicInst& call);
  Value emit_compute(const Instruction& instruction, Op op, std::vector<Value> operands, unsigned bits,
                     std::uint64_t part);
  Value temporary(const Instruction& instruction, Op op, std::vector<Value> operands, unsigned bits);

  // ---- memory ----
  // Loops that wait and have barriers in them must come back to a point that was there before.
  static constexpr unsigned kLate = ~0u, kMostPhasesBehindFork = 4;
  enum class WarpHook : std::uint8_t { barrier, vote, shuffle };
  enum class Where : std::uint8_t { own, context, shared_with_others, nowhere };
  void pass_barrier();
  Where where(const Instruction& instruction, std::uint64_t address, std::uint64_t size, bool write);
  Value load(const llvm::LoadInst& load);
  Value load_parts(const Instruction& instruction, std::uint64_t address, llvm::Type* type, bool is_volatile,
                   std::uint64_t& part);
  Value load_own(const Instruction& instruction, std::uint64_t address, llvm::Type* type, std::uint64_t part);
  Value put_together(const Instruction& instruction, std::uint64_t address, llvm::Type* type, std::uint64_t part);
  void store(const llvm::StoreInst& store);
  void store_parts(const Instruction& instruction, std::uint64_t address, const Value& value, llvm::Type* type,
                   bool is_volatile, std::uint64_t& part);
  void store_own(const Instruction& instruction, std::uint64_t address, std::uint64_t size, const Value& value);
  std::optional<std::uint64_t> read_known(std::uint64_t address, std::uint64_t size) const;
  void copy_memory(const llvm::MemTransferInst& copy);
  void set_memory(const llvm::MemSetInst& set);
  residual::Instruction access(const Instruction& instruction, Kind kind, std::uint64_t address, std::uint64_t size);

  // ---- calls ----
  bool call(const llvm::CallInst& call);
  bool atomic(const llvm::CallInst& call);
  bool atomic_of_own(const llvm::CallInst& call, int operation, std::uint64_t address, std::uint64_t size);
  bool warp_operation(const llvm::CallInst& call, WarpHook hook);
  std::string text_at(const llvm::Value* pointer);

  residual::Instruction& emit(residual::Instruction instruction);
  void set(const Instruction& instruction, Value value) {
    point_.values[program_.number(instruction)] = std::move(value);
  }

  ResidualProgram& program_;
  const SteadyAddresses& addresses_;
  const race::LaunchShape& launch_;
  const std::uint64_t block_, shared_bytes_;
  const SharedKnowledge& knowledge_;
  const ResidualLimits& limits_;
  ThreadContext context_;
  std::vector<Value> arguments_;
  Point point_;
  bool ended_ = false;  // the point cannot be followed further
  std::vector<Point> open_;
  std::map<std::string, std::uint32_t> labels_;
  std::uint32_t next_label_ = 0;
  std::size_t points_ = 0, steps_ = 0;
  unsigned warp_barriers_ = 0;  // passed
  EvaluatedThread result_;
  const TypeFacts types_;
  RegisterNames registers_;
};

}  // namespace weakspot::race_jit
