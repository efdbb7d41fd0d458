// SPDX-License-Identifier: MIT
#include "race_jit/lower/input_facts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "race_jit/bitcode/asserted.h"
#include "race_jit/hooks/context.h"
#include "race_jit/lower/lower.h"

namespace weakspot::race_jit {
namespace {

constexpr unsigned kDepth = 6;  // instructions that a value is followed through
constexpr std::int64_t kLargestConstant = 1'000'000;

class FactFinder {
 public:
  explicit FactFinder(const llvm::Function& kernel) : kernel_(kernel) { facts_.parameters.resize(kernel.arg_size()); }

  race::KernelFacts find() {
    for (const llvm::Argument& argument : kernel_.args()) {
      if (!argument.getType()->isIntegerTy()) continue;
      const Uses uses = follow(argument, kDepth);
      facts_.parameters[argument.getArgNo()].factor = uses.factor;
      facts_.parameters[argument.getArgNo()].bound = uses.bound;
      facts_.parameters[argument.getArgNo()].offset = uses.address;
    }
    facts_.grid_axes = 0;
    facts_.uses_x = false;
    for (const llvm::Instruction& instruction : llvm::instructions(kernel_)) visit(instruction);
    facts_.asserted = asserted_equalities(kernel_);
    return std::move(facts_);
  }

 private:
  struct Uses {
    bool factor = false, bound = false, address = false, limit = false;
  };

  // Follows the uses of a value for a few steps.
  static Uses follow(const llvm::Value& value, unsigned depth) {
    Uses uses;
    for (const llvm::Use& use : value.uses()) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (user == nullptr) continue;
      if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user)) {
        uses.bound = true;
        const llvm::Value* other = compare->getOperand(1 - use.getOperandNo());
        while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(other)) other = cast->getOperand(0);
        uses.limit = uses.limit || llvm::isa<llvm::PHINode>(other);
      } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        uses.address = uses.address || use.getOperandNo() > 0;
      } else if (depth > 0 && (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::BinaryOperator>(user) ||
                               llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::PHINode>(user))) {
        if (user->getOpcode() == llvm::Instruction::Mul) uses.factor = true;
        const Uses further = follow(*user, depth - 1);
        uses.factor = uses.factor || further.factor;
        uses.bound = uses.bound || further.bound;
        uses.address = uses.address || further.address;
        uses.limit = uses.limit || further.limit;
      }
    }
    return uses;
  }

  // A parameter that is a pointer, or a member of a structure that is one.
  race::ParameterFacts* parameter_of(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) return member_of(*load);
    const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument == nullptr ? nullptr : &facts_.parameters[argument->getArgNo()];
  }

  // The member of a structure passed by value that is read here; null if it is something else.
  race::ParameterFacts* member_of(const llvm::LoadInst& load) {
    const llvm::DataLayout& layout = kernel_.getParent()->getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const llvm::Value* object = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    if (argument == nullptr || !kernel_.getAttributes().hasParamAttr(argument->getArgNo(), "weakspot-by-value")) {
      return nullptr;
    }
    return &facts_.members[{argument->getArgNo(), offset.getZExtValue()}];
  }

  static void add(std::vector<std::int64_t>& list, std::int64_t value) {
    if (value < -kLargestConstant || value > kLargestConstant || list.size() >= 64) return;
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  }

  static std::optional<std::int64_t> number(const llvm::Value* value) {
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      if (integer->getBitWidth() > 1 && integer->getBitWidth() <= 64) return integer->getSExtValue();
    } else if (const auto* floating = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      const double number = floating->getValueAPF().convertToDouble();
      if (number > -1e6 && number < 1e6) return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
  }

  // blockIdx.x, or the like
  static bool is_block(const llvm::Value* value) {
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
    const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    return callee != nullptr && callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.ctaid.");
  }

  void visit(const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (race::ParameterFacts* member = member_of(*load)) {
        if (!load->getType()->isIntegerTy()) return;
        const Uses uses = follow(*load, kDepth);
        member->factor = member->factor || uses.factor;
        member->bound = member->bound || uses.bound;
        member->offset = member->offset || uses.address;
        return;
      }
      race::ParameterFacts* array = parameter_of(load->getPointerOperand());
      if (array == nullptr) return;
      array->atomic = array->atomic || load->isVolatile() || load->isAtomic();
      if (!load->getType()->isIntegerTy()) return;
      const Uses uses = follow(*load, kDepth);
      array->index = array->index || uses.address;
      array->limits = array->limits || uses.limit;
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      race::ParameterFacts* array = parameter_of(store->getPointerOperand());
      if (array != nullptr && (store->isVolatile() || store->isAtomic())) array->atomic = true;
    } else if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
      if (race::ParameterFacts* array = parameter_of(instruction.getOperand(0))) array->atomic = true;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      visit_call(*call);
    } else if (llvm::isa<llvm::CmpInst>(instruction)) {
      for (const llvm::Use& operand : instruction.operands()) {
        const auto constant = number(operand);
        if (!constant) continue;
        add(facts_.compared, *constant);
        if (is_block(instruction.getOperand(1 - operand.getOperandNo()))) add(facts_.roles, *constant);
      }
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      for (const auto& branch : choice->cases()) {
        const auto constant = number(branch.getCaseValue());
        if (!constant) continue;
        add(facts_.compared, *constant);
        if (is_block(choice->getCondition())) add(facts_.roles, *constant);
      }
    } else {
      visit_arithmetic(instruction);
    }
  }

  void visit_arithmetic(const llvm::Instruction& instruction) {
    const unsigned opcode = instruction.getOpcode();
    if (opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::UDiv ||
        opcode == llvm::Instruction::SDiv) {
      if (const auto constant = number(instruction.getOperand(1))) add(facts_.factors, *constant);
    } else if (opcode == llvm::Instruction::And) {
      const auto mask = number(instruction.getOperand(1));
      if (mask && *mask > 1 && (*mask & (*mask + 1)) == 0) add(facts_.factors, *mask + 1);
    } else if (opcode == llvm::Instruction::Mul) {
      for (const llvm::Value* operand : instruction.operands()) {
        if (const auto constant = number(operand)) add(facts_.factors, *constant);
      }
    } else if (instruction.getOpcode() == llvm::Instruction::Shl) {
      const auto shift = number(instruction.getOperand(1));
      if (shift && *shift > 0 && *shift < 12) add(facts_.factors, std::int64_t{1} << *shift);
    } else if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      // The inner sides of arrays of arrays.
      const llvm::Type* type = element->getSourceElementType();
      add_tile(type);
      bool inner = false;
      while (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        if (inner || llvm::isa<llvm::ArrayType>(array->getElementType()) || element->getNumIndices() == 1) {
          add(facts_.factors, static_cast<std::int64_t>(array->getNumElements()));
        }
        inner = true;
        type = array->getElementType();
      }
    }
  }

  void add_tile(const llvm::Type* type) {
    const auto* rows = llvm::dyn_cast<llvm::ArrayType>(type);
    if (rows == nullptr || facts_.tiles.size() >= 16) return;
    const auto* columns = llvm::dyn_cast<llvm::ArrayType>(rows->getElementType());
    const auto count = static_cast<std::int64_t>(rows->getNumElements());
    const std::pair<std::int64_t, std::int64_t> tile =
        columns == nullptr ? std::pair(std::int64_t{1}, count)
                           : std::pair(count, static_cast<std::int64_t>(columns->getNumElements()));
    if (std::find(facts_.tiles.begin(), facts_.tiles.end(), tile) == facts_.tiles.end()) facts_.tiles.push_back(tile);
  }

  // The parameter that an address of a few sums is computed from.
  race::ParameterFacts* parameter_behind(const llvm::Value* number, unsigned depth) {
    if (const auto* cast = llvm::dyn_cast<llvm::PtrToIntOperator>(number)) return parameter_of(cast->getOperand(0));
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(number);
    if (depth == 0 || sum == nullptr || sum->getOpcode() != llvm::Instruction::Add) return nullptr;
    race::ParameterFacts* first = parameter_behind(sum->getOperand(0), depth - 1);
    return first != nullptr ? first : parameter_behind(sum->getOperand(1), depth - 1);
  }

  // Atomics of PTX, and its accesses of an order, take their address as a number, before other operands.
  void visit_assembly(const llvm::CallInst& call, llvm::StringRef text) {
    const bool access = text.starts_with("ld.") || text.starts_with("st.");
    const bool ordered = text.contains(".relaxed") || text.contains(".acquire") || text.contains(".release");
    if (!text.starts_with("atom.") && !text.starts_with("red.") && !(access && ordered)) return;
    for (const llvm::Use& argument : call.args()) {
      race::ParameterFacts* array = parameter_behind(argument, kDepth);
      if (array == nullptr) continue;
      array->atomic = true;
      return;
    }
  }

  void visit_call(const llvm::CallInst& call) {
    if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
      visit_assembly(call, assembly->getAsmString());
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) return;
    llvm::StringRef name = callee->getName();
    if (name.contains("ws_atomic") && call.arg_size() > 0) {
      if (race::ParameterFacts* array = parameter_of(call.getArgOperand(0))) array->atomic = true;
    } else if (name.contains("ws_grid_barrier")) {
      facts_.cooperative = true;
    } else if (name.contains("ws_cluster_register")) {
      facts_.grid_axes = std::max(facts_.grid_axes, 1u);  // ranks tell the blocks apart
    } else if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
      const unsigned axes = name.ends_with(".x") ? 1 : name.ends_with(".y") ? 2 : name.ends_with(".z") ? 3 : 0;
      if (name == "tid.x") facts_.uses_x = true;
      if (name.starts_with("tid.")) facts_.block_axes = std::max(facts_.block_axes, axes);
      if (name.starts_with("ctaid.")) facts_.grid_axes = std::max(facts_.grid_axes, axes);
    }
  }

  const llvm::Function& kernel_;
  race::KernelFacts facts_;
};

}  // namespace

race::KernelFacts input_facts(const llvm::Function& kernel) { return FactFinder(kernel).find(); }

namespace {

// Whether the block only decides if there is another round.
bool only_decides(const llvm::BasicBlock& block, const llvm::Loop& loop) {
  return loop.isLoopExiting(&block) && std::none_of(block.begin(), block.end(), [](const llvm::Instruction& each) {
           return each.mayWriteToMemory();
         });
}

// A mark for another round of the loop, behind the tests that end it.
Mark mark_of_loop(const llvm::Loop& loop) {
  llvm::BasicBlock* begin = loop.getHeader();
  for (std::size_t i = 0; i < loop.getNumBlocks() && only_decides(*begin, loop); ++i) {
    const auto next = std::find_if(llvm::succ_begin(begin), llvm::succ_end(begin),
                                   [&](const llvm::BasicBlock* block) { return loop.contains(block); });
    if (next == llvm::succ_end(begin) || *next == loop.getHeader()) break;
    begin = *next;
  }
  return {begin, loop.getHeader()};
}

}  // namespace

namespace {

// Whether an assertion fails in the block, which no search needs to see.
bool fails_assertion(const llvm::BasicBlock& block) {
  return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& each) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
    const llvm::Function* called = call == nullptr ? nullptr : call->getCalledFunction();
    return called != nullptr && called->getName().contains("assert") && called->getName().contains("fail");
  });
}

}  // namespace

std::vector<Mark> branch_marks(llvm::Function& kernel) {
  std::vector<Mark> marks;
  for (llvm::BasicBlock& block : kernel) {
    if (fails_assertion(block)) continue;
    const bool conditional =
        std::any_of(llvm::pred_begin(&block), llvm::pred_end(&block),
                    [](const llvm::BasicBlock* from) { return from->getTerminator()->getNumSuccessors() > 1; });
    if (conditional) marks.push_back({&block, nullptr});
  }
  return marks;
}

std::vector<Mark> loop_marks(llvm::Function& kernel) {
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  std::vector<Mark> marks;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) marks.push_back(mark_of_loop(*loop));
  return marks;
}

namespace {

// The beginning of the marks, loaded at the entry of the function.
llvm::Value* marks_of(llvm::Function& function) {
  auto* context = llvm::cast<llvm::Instruction>(current_context(function));
  llvm::IRBuilder<> builder(context->getNextNode());
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offsetof(ThreadContext, marks));
  llvm::LoadInst* load = builder.CreateLoad(builder.getPtrTy(), field, "weakspot.marks");
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function.getContext(), {}));
  return load;
}

// Whether a block that is reached through the header of a loop is reached in another round than the first.
llvm::Value* is_again(llvm::BasicBlock& header, const llvm::DominatorTree& tree) {
  llvm::Type* truth = llvm::Type::getInt1Ty(header.getContext());
  llvm::PHINode* again = llvm::PHINode::Create(truth, 2, "weakspot.again", header.begin());
  for (llvm::BasicBlock* from : llvm::predecessors(&header)) {
    again->addIncoming(llvm::ConstantInt::getBool(truth, tree.dominates(&header, from)), from);
  }
  return again;
}

}  // namespace

void set_marks(const std::vector<Mark>& all) {
  const llvm::Function* function = nullptr;
  llvm::DominatorTree tree;
  llvm::Value* marks = nullptr;
  std::uint64_t number = 0;
  for (const Mark& mark : all) {
    if (mark.block->getParent() != function) {
      marks = marks_of(*mark.block->getParent());
      tree.recalculate(*mark.block->getParent());
    }
    function = mark.block->getParent();
    llvm::Value* again = mark.header == nullptr ? nullptr : is_again(*mark.header, tree);
    llvm::IRBuilder<> builder(&*mark.block->getFirstInsertionPt());
    llvm::Value* index = builder.getInt64(number);
    if (again != nullptr) index = builder.CreateAdd(builder.CreateZExt(again, builder.getInt64Ty()), index);
    builder.CreateStore(builder.getInt8(1), builder.CreateInBoundsGEP(builder.getInt8Ty(), marks, index));
    number += mark.size();
  }
}

}  // namespace weakspot::race_jit
