// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/function_translator.h"
#include "race_jit/bitcode/ptx_origin.h"
#include "race_jit/bitcode/shared_layout.h"

#include <fmt/format.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <bit>

#include "race_jit/from_ptx/addresses.h"

namespace weakspot::race_jit {
namespace {

namespace ptx = race::ptx;

using llvm::Type;
using llvm::Value;

llvm::GlobalVariable* any_shared(const std::map<std::string, llvm::GlobalVariable*>& variables) {
  for (const auto& [name, variable] : variables) {
    if (variable->getAddressSpace() == 3) return variable;
  }
  return nullptr;
}

}  // namespace

bool is_scalar(const ptx::Variable& variable) { return variable.count == 1 && variable.size() <= 8; }

bool by_pointer(const ptx::Function& function) {
  return function.results.size() > 1 || (function.results.size() == 1 && !is_scalar(function.results.front()));
}

FunctionTranslator::FunctionTranslator(const PtxCallee& callee, const std::map<std::string, PtxCallee>& functions,
                                       const std::map<std::string, llvm::GlobalVariable*>& variables, PtxPlaces& places)
    : from_(*callee.from),
      function_(*callee.function),
      functions_(functions),
      variables_(variables),
      places_(places),
      builder_(callee.function->getContext()) {}

void FunctionTranslator::run() {
  places_.enter(function_, from_);
  prepare_blocks();
  prepare_memory();
  for (std::size_t i = 0; i < from_.body.size(); ++i) {
    if (auto found = blocks_.find(i); found != blocks_.end()) {
      if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(found->second);
      builder_.SetInsertPoint(found->second);
    }
    builder_.SetCurrentDebugLocation(places_.of(from_.body[i]));
    set_ptx_origin(builder_, places_.origin(from_.body[i]));
    translate(from_.body[i]);
  }
  llvm::BasicBlock*& last = blocks_[from_.body.size()];
  if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
    if (last != nullptr) builder_.CreateBr(last);
    if (last == nullptr) leave();
  }
  if (last != nullptr) {
    builder_.SetInsertPoint(last);
    leave();
  }
  llvm::removeUnreachableBlocks(function_);
  llvm::DominatorTree dominators(function_);
  std::vector<llvm::AllocaInst*> slots = {carry_};
  for (llvm::AllocaInst* slot : registers_) {
    if (llvm::isAllocaPromotable(slot)) slots.push_back(slot);
  }
  llvm::PromoteMemToReg(slots, dominators);
  llvm::GlobalVariable* shared = any_shared(variables_);
  Value* anchor = nullptr;
  if (shared != nullptr) {
    builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    anchor = builder_.CreateAddrSpaceCast(shared, builder_.getPtrTy());
  }
  recover_addresses(function_, anchor);
}

// A block for each label, and one for what all begin with.
void FunctionTranslator::prepare_blocks() {
  llvm::LLVMContext& context = function_.getContext();
  auto* entry = llvm::BasicBlock::Create(context, "entry", &function_);
  auto* body = llvm::BasicBlock::Create(context, "body", &function_);
  builder_.SetInsertPoint(entry);
  entry_end_ = builder_.CreateBr(body);
  for (const auto& [label, index] : from_.labels) {
    llvm::BasicBlock*& block = blocks_[index];
    if (block == nullptr) block = llvm::BasicBlock::Create(context, "", &function_);
  }
  builder_.SetInsertPoint(body);
}

// Registers, which start as zero; parameters, results and local variables.
void FunctionTranslator::prepare_memory() {
  llvm::IRBuilder<> entry(entry_end_);
  for (std::size_t i = 0; i < from_.registers.size(); ++i) {
    registers_.push_back(entry.CreateAlloca(register_type(i), nullptr, from_.registers[i].name));
    entry.CreateStore(llvm::Constant::getNullValue(register_type(i)), registers_.back());
  }
  carry_ = entry.CreateAlloca(entry.getInt32Ty(), nullptr, "carry");
  entry.CreateStore(entry.getInt32(0), carry_);
  auto add = [&](const ptx::Variable& variable) {
    llvm::AllocaInst* slot = entry.CreateAlloca(
        llvm::ArrayType::get(entry.getInt8Ty(), std::max<std::uint64_t>(variable.size(), 1)), nullptr, variable.name);
    slot->setAlignment(llvm::Align(std::max<std::uint64_t>({variable.alignment, variable.element(), 1})));
    memory_[variable.name] = slot;
  };
  for (unsigned i = 0; i < from_.results.size(); ++i) {
    if (from_.results[i].reg != ptx::kNone) continue;
    if (by_pointer(from_)) {
      memory_[from_.results[i].name] = function_.getArg(static_cast<unsigned>(from_.parameters.size()) + i);
    } else {
      add(from_.results[i]);
    }
  }
  for (const ptx::Variable& variable : from_.variables) {
    if (variable.space == ptx::Space::parameter || variable.space == ptx::Space::local) add(variable);
  }
  // Parameters of kernels are read from where they are.
  for (unsigned i = 0; i < from_.parameters.size() && !from_.entry; ++i) {
    const ptx::Variable& parameter = from_.parameters[i];
    llvm::Argument* argument = function_.getArg(i);
    if (parameter.reg != ptx::kNone) {
      llvm::AllocaInst* slot = registers_[parameter.reg];
      entry.CreateStore(entry.CreateTrunc(argument, slot->getAllocatedType()), slot);
      continue;
    }
    add(parameter);
    Value* slot = memory_[parameter.name];
    if (argument->hasByValAttr()) {
      entry.CreateMemCpy(slot, llvm::cast<llvm::AllocaInst>(slot)->getAlign(), argument, llvm::Align(1),
                         parameter.size());
    } else {
      entry.CreateStore(argument, slot);
    }
  }
}

void FunctionTranslator::translate(const Instruction& instruction) {
  if (jump(instruction)) return;
  llvm::BasicBlock* behind = nullptr;
  if (instruction.guard.reg != ptx::kNone) {
    Value* holds = reg(instruction.guard.reg);
    if (instruction.guard.negated) holds = builder_.CreateNot(holds);
    auto* inside = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
    behind = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
    builder_.CreateCondBr(holds, inside, behind);
    builder_.SetInsertPoint(inside);
  }
  if (!plain(instruction)) assembly(instruction);
  if (behind == nullptr) return;
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(behind);
}

void FunctionTranslator::leave() {
  auto register_of = [&](const ptx::Variable& result) {
    return builder_.CreateZExt(reg(result.reg), integer(static_cast<unsigned>(result.size())));
  };
  for (unsigned i = 0; i < from_.results.size() && by_pointer(from_); ++i) {
    if (from_.results[i].reg == ptx::kNone) continue;
    builder_.CreateStore(register_of(from_.results[i]),
                         function_.getArg(static_cast<unsigned>(from_.parameters.size()) + i));
  }
  if (function_.getReturnType()->isVoidTy()) {
    builder_.CreateRetVoid();
  } else if (const ptx::Variable& result = from_.results.front(); result.reg != ptx::kNone) {
    builder_.CreateRet(register_of(result));
  } else {
    builder_.CreateRet(builder_.CreateLoad(function_.getReturnType(), memory_.at(result.name)));
  }
}

bool FunctionTranslator::plain(const Instruction& instruction) {
  const std::string& name = instruction.name();
  if (name == "mov" || name == "cvta") return move(instruction);
  if (name == "ld" || name == "st") return access(instruction);
  if (name == "call") return call(instruction);
  if (name == "selp") return choose(instruction);
  if (name == "redux") return reduce_warp(instruction);
  if (instruction.opcode.back() == "pred") return predicates(instruction);
  if (name == "setp") return compare(instruction);
  if (name == "cvt") return convert(instruction);
  return compute(instruction);
}

// Branches and ends of functions, with their guards.
bool FunctionTranslator::jump(const Instruction& instruction) {
  const std::string& name = instruction.name();
  const bool ends = name == "ret" || (name == "exit" && from_.entry);
  if (name == "brx") return jump_by_table(instruction);
  if (name != "bra" && !ends) return false;
  llvm::LLVMContext& context = function_.getContext();
  auto* next = llvm::BasicBlock::Create(context, "", &function_);
  llvm::BasicBlock* target = ends ? llvm::BasicBlock::Create(context, "", &function_)
                                  : blocks_.at(from_.labels.at(instruction.operands[0].name));
  if (instruction.guard.reg == ptx::kNone) {
    builder_.CreateBr(target);
  } else {
    Value* holds = reg(instruction.guard.reg);
    builder_.CreateCondBr(holds, instruction.guard.negated ? next : target, instruction.guard.negated ? target : next);
  }
  if (ends) {
    builder_.SetInsertPoint(target);
    leave();
  }
  builder_.SetInsertPoint(next);
  return true;
}

// brx.idx index, table. An index behind the end of the table is undefined; it goes where the last one does.
bool FunctionTranslator::jump_by_table(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const auto table = operands.size() == 2 ? from_.branch_targets.find(operands[1].name) : from_.branch_targets.end();
  Value* index = table == from_.branch_targets.end() ? nullptr : value(operands[0], builder_.getInt32Ty());
  if (index == nullptr) return false;
  for (const std::string& target : table->second) {
    if (!from_.labels.contains(target)) return false;
  }
  llvm::LLVMContext& context = function_.getContext();
  auto* next = llvm::BasicBlock::Create(context, "", &function_);
  if (instruction.guard.reg != ptx::kNone) {
    auto* inside = llvm::BasicBlock::Create(context, "", &function_);
    Value* holds = reg(instruction.guard.reg);
    builder_.CreateCondBr(holds, instruction.guard.negated ? next : inside, instruction.guard.negated ? inside : next);
    builder_.SetInsertPoint(inside);
  }
  const std::vector<std::string>& targets = table->second;
  auto block_of = [&](const std::string& target) { return blocks_.at(from_.labels.at(target)); };
  llvm::SwitchInst* jump = builder_.CreateSwitch(index, block_of(targets.back()));
  for (std::uint32_t i = 0; i + 1 < targets.size(); ++i) jump->addCase(builder_.getInt32(i), block_of(targets[i]));
  builder_.SetInsertPoint(next);
  return true;
}

Type* FunctionTranslator::register_type(std::size_t index) {
  const std::string& type = from_.registers[index].type;
  return type == "pred" ? builder_.getInt1Ty() : integer(*ptx::type_size(type));
}

Value* FunctionTranslator::reg(std::size_t index) {
  return builder_.CreateLoad(register_type(index), registers_[index]);
}

void FunctionTranslator::set_reg(std::size_t index, Value* value) { builder_.CreateStore(value, registers_[index]); }

bool FunctionTranslator::assign(const Operand& operand, Value* value, bool is_signed) {
  if (operand.kind == Operand::Kind::name && operand.name == "_") return true;
  if (operand.kind != Operand::Kind::reg || value == nullptr) return false;
  Type* type = register_type(operand.reg);
  if (type->isIntegerTy(1) && !value->getType()->isIntegerTy(1)) {
    value = builder_.CreateIsNotNull(value);
  } else {
    value = is_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
  }
  set_reg(operand.reg, value);
  return true;
}

Value* FunctionTranslator::value(const Operand& operand, Type* type) {
  Value* found = nullptr;
  if (operand.kind == Operand::Kind::reg) {
    found = reg(operand.reg);
    if (operand.negated) found = builder_.CreateNot(found);
  } else if (operand.kind == Operand::Kind::integer) {
    return llvm::ConstantInt::get(type, operand.number);
  } else if (operand.kind == Operand::Kind::real) {
    const bool narrow = operand.bits == 0 && type->isIntegerTy(32);
    const auto real = std::bit_cast<double>(operand.number);
    return llvm::ConstantInt::get(type,
                                  narrow ? std::bit_cast<std::uint32_t>(static_cast<float>(real)) : operand.number);
  } else if (operand.kind == Operand::Kind::name) {
    found = operand.name.starts_with("%") || operand.name == "WARP_SZ" ? special(operand.name)
                                                                       : variable_address(operand.name);
    if (found != nullptr && operand.number != 0) {
      found = builder_.CreateAdd(found, llvm::ConstantInt::get(found->getType(), operand.number));
    }
  }
  return found == nullptr ? nullptr : builder_.CreateZExtOrTrunc(found, type);
}

Value* FunctionTranslator::special(const std::string& name) {
  if (name == "WARP_SZ") return builder_.getInt32(32);
  for (const char* known : {"tid", "ctaid", "ntid", "nctaid"}) {
    for (const char axis : {'x', 'y', 'z'}) {
      if (name != fmt::format("%{}.{}", known, axis)) continue;
      const std::string intrinsic = fmt::format("llvm.nvvm.read.ptx.sreg.{}.{}", known, axis);
      return builder_.CreateCall(function_.getParent()->getOrInsertFunction(intrinsic, builder_.getInt32Ty()));
    }
  }
  if (name == "%envreg1" || name == "%envreg2") {
    Value* workspace = variable_address(kGridWorkspace);
    return workspace == nullptr || name == "%envreg2" ? workspace : builder_.CreateLShr(workspace, 32);
  }
  if (name.starts_with(kReservedOffset)) {
    const std::string which = name.substr(std::string_view(kReservedOffset).size());
    if (which == "cap") return builder_.getInt32(kReservedSize);
    Value* begin = variable_address(kReservedShared);
    return begin == nullptr || which != "end" ? begin : builder_.CreateAdd(begin, builder_.getInt64(kReservedSize));
  }
  if (name != "%laneid") return nullptr;
  return builder_.CreateCall(
      function_.getParent()->getOrInsertFunction("llvm.nvvm.read.ptx.sreg.laneid", builder_.getInt32Ty()));
}

// Computed once, at the entry, so that all addresses in a variable have the same base.
Value* FunctionTranslator::variable_address(const std::string& name) {
  Value*& known = addresses_[name];
  if (known != nullptr) return known;
  const auto local = memory_.find(name);
  auto found = variables_.find(from_.name + " " + name);
  if (found == variables_.end()) found = variables_.find(name);
  Value* base = structure_parameter(name);
  if (local != memory_.end()) base = local->second;
  if (base == nullptr && found != variables_.end()) base = found->second;
  if (base == nullptr) {
    addresses_.erase(name);
    return nullptr;
  }
  // Not through a builder, which would make constants of them.
  if (base->getType()->getPointerAddressSpace() != 0) {
    base = new llvm::AddrSpaceCastInst(base, builder_.getPtrTy(), name, entry_end_->getIterator());
  }
  return known = new llvm::PtrToIntInst(base, builder_.getInt64Ty(), "", entry_end_->getIterator());
}

Value* FunctionTranslator::pointer(const Operand& operand, bool shared) {
  if (operand.kind != Operand::Kind::address) return nullptr;
  Value* base = nullptr;
  if (operand.reg != ptx::kNone) {
    base = reg(operand.reg);
  } else if (operand.name.empty()) {
    base = builder_.getInt64(0);
  } else {
    base = variable_address(operand.name);
  }
  if (base == nullptr || base->getType()->getIntegerBitWidth() < 32) return nullptr;
  if (operand.number != 0) base = builder_.CreateAdd(base, llvm::ConstantInt::get(base->getType(), operand.number));
  return shared ? shared_pointer(builder_, base) : generic_pointer(builder_, base);
}

// A parameter of a kernel that is passed by value in memory.
Value* FunctionTranslator::structure_parameter(const std::string& name) const {
  for (unsigned i = 0; i < from_.parameters.size(); ++i) {
    if (from_.parameters[i].name == name && function_.getArg(i)->hasByValAttr()) return function_.getArg(i);
  }
  return nullptr;
}

Value* FunctionTranslator::parameter_memory(const Operand& operand) {
  if (operand.kind != Operand::Kind::address || operand.reg != ptx::kNone) return nullptr;
  Value* base = nullptr;
  if (auto found = memory_.find(operand.name); found != memory_.end()) {
    base = found->second;
  } else {
    base = structure_parameter(operand.name);
  }
  return base == nullptr || operand.number == 0
             ? base
             : builder_.CreateGEP(builder_.getInt8Ty(), base, {builder_.getInt64(operand.number)});
}

}  // namespace weakspot::race_jit
