// SPDX-License-Identifier: MIT
// Lowers the inline PTX of synchronisation: accesses with their orders and scopes, fences, barriers, warp operations,
// special registers, and the few plain instructions that stand between them.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "base/check.h"
#include "race_jit/bitcode/ptx_origin.h"
#include "race_jit/bitcode/read_only.h"
#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/lower.h"
#include "race_jit/machine/meetings.h"
#include "race_jit/ptx/inline_ptx.h"
#include "race_jit/ptx/ptx_async.h"
#include "race_jit/ptx/ptx_atomics.h"
#include "race_jit/ptx/ptx_comparisons.h"
#include "race_jit/ptx/ptx_conversions.h"
#include "race_jit/ptx/ptx_effects.h"
#include "race_jit/ptx/ptx_floats.h"
#include "race_jit/ptx/ptx_guard.h"
#include "race_jit/ptx/ptx_integers.h"
#include "race_jit/ptx/ptx_registers.h"
#include "race_jit/ptx/ptx_tensor.h"
#include "race_jit/ptx/ptx_video.h"
#include "race_jit/ptx/ptx_warp.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {
namespace {

using llvm::Type;
using llvm::Value;

class PtxLowering {
 public:
  PtxLowering(llvm::CallInst& call, SiteTable& sites)
      : call_(call),
        site_(sites.of(call)),
        builder_(call.getContext(), llvm::ConstantFolder(),
                 llvm::IRBuilderCallbackInserter([this](llvm::Instruction* i) { made_.push_back(i); })) {
    builder_.SetInsertPoint(&call);
    keep_ptx_origin(builder_, call);
  }

  bool run() {
    const auto* code = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    const auto instructions = parse_inline_ptx(without_wait_loop(code->getAsmString()));
    if (!instructions || !take_operands(*code)) return false;
    // Branches cannot be taken back. Where a guard needs one, all is tried without guards first.
    const std::vector<Value*> given = operands_;
    trial_ = std::any_of(instructions->begin(), instructions->end(), [](const PtxInstruction& instruction) {
      return !instruction.guard.empty() && !ptx_only_computes(instruction.opcode);
    });
    std::optional<Value*> result = lower_all(*instructions);
    if (trial_ || !result) {
      for (auto* made : llvm::reverse(made_)) made->eraseFromParent();
      made_.clear();
    }
    if (trial_ && result) {
      trial_ = false;
      operands_ = given;
      registers_.clear();
      carry_ = nullptr;
      result = lower_all(*instructions);
      WEAKSPOT_CHECK(result.has_value());
    }
    if (!result) return false;
    if (*result != nullptr) call_.replaceAllUsesWith(*result);
    call_.eraseFromParent();
    return true;
  }

 private:
  // The result of the call, null if it has none; nothing if an instruction is not understood.
  std::optional<Value*> lower_all(const std::vector<PtxInstruction>& instructions) {
    for (const PtxInstruction& instruction : instructions) {
      if (!lower(instruction)) return std::nullopt;
    }
    Value* result = results();
    if (result == nullptr && !call_.getType()->isVoidTy()) return std::nullopt;
    return result;
  }

  // The values of $0, $1, ...: results first, which start as what is tied to them, then arguments.
  bool take_operands(const llvm::InlineAsm& code) {
    unsigned argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : code.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber) continue;
      if (constraint.isIndirect || constraint.Type == llvm::InlineAsm::isLabel) return false;
      if (constraint.Type == llvm::InlineAsm::isOutput) {
        operands_.push_back(nullptr);
        ++outputs_;
        continue;
      }
      Value* value = call_.getArgOperand(argument++);
      if (constraint.Codes.empty()) return false;
      const std::string& tied = constraint.Codes.front();
      if (tied.find_first_not_of("0123456789") == std::string::npos) {
        const unsigned output = static_cast<unsigned>(std::stoul(tied));
        if (output >= operands_.size()) return false;
        operands_[output] = value;
      }
      operands_.push_back(value);
    }
    return true;
  }

  Value* results() {
    if (outputs_ == 0) return nullptr;
    if (outputs_ == 1) return converted(operands_[0], call_.getType());
    Value* all = llvm::PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < outputs_; ++i) {
      Value* value = converted(operands_[i], call_.getType()->getStructElementType(i));
      if (value == nullptr) return nullptr;
      all = builder_.CreateInsertValue(all, value, i);
    }
    return all;
  }

  Type* bits_like(Type* type) {
    return builder_.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  }
  Type* integer(unsigned bytes) { return builder_.getIntNTy(bytes * 8); }

  // Bits as another type: cut or filled with zeros.
  Value* converted(Value* value, Type* type) {
    if (value == nullptr || value->getType() == type) return value;
    if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (value->getType()->isFloatingPointTy()) {
      value = builder_.CreateBitCast(value, bits_like(value->getType()));
    }
    if (!value->getType()->isIntegerTy()) return nullptr;
    if (type->isPointerTy()) {
      return builder_.CreateIntToPtr(builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty()), type);
    }
    if (type->isFloatingPointTy()) {
      value = builder_.CreateZExtOrTrunc(value, bits_like(type));
      return builder_.CreateBitCast(value, type);
    }
    return type->isIntegerTy() ? builder_.CreateZExtOrTrunc(value, type) : nullptr;
  }

  Value* field(std::size_t offset, Type* type) {
    Value* context = current_context(*call_.getFunction());
    llvm::LoadInst* load =
        builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offset));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(call_.getContext(), {}));
    return load;
  }

  Value* value(const PtxOperand& operand) {
    switch (operand.kind) {
      case PtxOperand::Kind::assembly:
        return operand.index < operands_.size() ? operands_[operand.index] : nullptr;
      case PtxOperand::Kind::number:
        return builder_.getInt64(static_cast<std::uint64_t>(operand.number));
      case PtxOperand::Kind::name: {
        auto found = registers_.find(operand.name);
        return found != registers_.end() ? found->second : special_register(operand.name);
      }
      case PtxOperand::Kind::address:
        return address(operand);
      case PtxOperand::Kind::real:
      case PtxOperand::Kind::vector:
        return nullptr;  // only where an instruction asks for one
    }
    return nullptr;
  }

  Value* value(const PtxInstruction& instruction, std::size_t index, Type* type) {
    if (index >= instruction.operands.size()) return nullptr;
    const PtxOperand& operand = instruction.operands[index];
    return operand.kind == PtxOperand::Kind::real ? ptx_real(*type, operand.real) : converted(value(operand), type);
  }

  Value* special_register(const std::string& name) {
    return ptx_special_register(
        builder_, name, [&](std::size_t offset) { return field(offset, builder_.getInt32Ty()); },
        [&](const char* called, Type* result, std::vector<Value*> given) {
          return hook(called, result, std::move(given));
        });
  }

  // Addresses of 32 bits are of shared memory: near the block's own, before or behind it.
  Value* address(const PtxOperand& operand) {
    PtxOperand base = operand;
    base.kind = operand.base_is_name ? PtxOperand::Kind::name : PtxOperand::Kind::assembly;
    Value* pointer = value(base);
    if (pointer == nullptr) return nullptr;
    if (pointer->getType()->isIntegerTy(32)) {
      Value* window = converted(field(offsetof(ThreadContext, shared), builder_.getPtrTy()), builder_.getInt64Ty());
      Value* low = builder_.CreateTrunc(window, builder_.getInt32Ty());
      Value* offset = builder_.CreateSExt(builder_.CreateSub(pointer, low), builder_.getInt64Ty());
      pointer = builder_.CreateAdd(window, offset);
    }
    pointer = converted(pointer, builder_.getInt64Ty());
    if (pointer == nullptr) return nullptr;
    pointer = builder_.CreateAdd(pointer, builder_.getInt64(static_cast<std::uint64_t>(operand.number)));
    return builder_.CreateIntToPtr(pointer, builder_.getPtrTy());
  }

  bool assign(const PtxInstruction& instruction, std::size_t index, Value* value) {
    return index < instruction.operands.size() && assign_to(instruction.operands[index], value);
  }
  bool assign_to(const PtxOperand& operand, Value* value) {
    if (value == nullptr) return false;
    const bool is_name = operand.kind == PtxOperand::Kind::name;
    if (!is_name && (operand.kind != PtxOperand::Kind::assembly || operand.index >= outputs_)) return false;
    (is_name ? registers_[operand.name] : operands_[operand.index]) = value;
    return true;
  }

  Value* hook(const char* name, Type* result, std::vector<Value*> arguments) {
    arguments.push_back(builder_.getInt32(site_));
    std::vector<Type*> types;
    for (const Value* argument : arguments) {
      if (argument == nullptr) return nullptr;
      types.push_back(argument->getType());
    }
    llvm::FunctionCallee callee =
        call_.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    return builder_.CreateCall(callee, arguments);
  }
  bool act(const char* name, std::vector<Value*> arguments) {
    return hook(name, builder_.getVoidTy(), std::move(arguments)) != nullptr;
  }

  bool lower(const PtxInstruction& instruction) {
    if (!instruction.guard.empty()) return lower_guarded(instruction);
    const std::string& name = instruction.opcode.front();
    if (name == "createpolicy") return assign(instruction, 0, builder_.getInt64(0));
    if (is_ptx_async(instruction)) return lower_ptx_async(instruction, tools(instruction));
    if (is_ptx_tensor(instruction)) return lower_ptx_tensor(instruction, tools(instruction));
    if (is_ptx_warp(instruction)) return lower_ptx_warp(instruction, tools(instruction));
    if (ptx_effect(instruction.opcode) == race::Effect::none) return true;
    if (instruction.has("async")) return false;
    if (name == "bar" || name == "barrier") return lower_barrier(instruction);
    if (name == "membar" || name == "fence") return lower_fence(instruction);
    if (name == "ld" || name == "ldu") return lower_load(instruction);
    if (name == "st") return lower_store(instruction);
    if (name == "atom" || name == "red") return lower_atomic(instruction, name == "red");
    if (name == "mapa") return lower_map(instruction);
    if (name == "isspacep") return lower_space(instruction);
    if (name == "trap") return act("weakspot_trap", {});
    if (name == "exit") return act("weakspot_exit", {});
    if (is_ptx_video(instruction)) {
      Type* word = builder_.getInt32Ty();
      return assign(instruction, 0,
                    ptx_video_result(builder_, instruction, value(instruction, 1, word), value(instruction, 2, word),
                                     value(instruction, 3, word)));
    }
    return lower_plain(instruction);
  }

  PtxTools tools(const PtxInstruction& instruction) {
    return {
        .builder = builder_,
        .value = [&](std::size_t i, Type* type) { return value(instruction, i, type); },
        .operand = [&](const PtxOperand& given, Type* type) { return converted(value(given), type); },
        .assign = [&](std::size_t i, Value* made) { return assign(instruction, i, made); },
        .assign_to = [&](const PtxOperand& to, Value* made) { return assign_to(to, made); },
        .lane = [&] { return builder_.CreateAnd(field(offsetof(ThreadContext, number), builder_.getInt32Ty()), 31); },
        .hook = [&](const char* name, Type* result,
                    std::vector<Value*> arguments) { return hook(name, result, std::move(arguments)); }};
  }

  // If the guard does not hold, everything stays as it was. Instructions that only compute need no branch for that.
  bool lower_guarded(const PtxInstruction& instruction) {
    const bool negated = instruction.guard.starts_with('!');
    auto guard = registers_.find(instruction.guard.substr(negated ? 1 : 0));
    if (guard == registers_.end() || instruction.has("cc")) return false;  // a carry is not kept twice
    Value* holds = builder_.CreateIsNotNull(converted(guard->second, builder_.getInt32Ty()));
    if (negated) holds = builder_.CreateNot(holds);
    PtxInstruction plain = instruction;
    plain.guard.clear();
    if (trial_) return lower(plain);
    const std::map<std::string, Value*> registers = registers_;
    const std::vector<Value*> operands = operands_;
    PtxGuard part(builder_, call_, holds, !ptx_only_computes(instruction.opcode));
    if (!lower(plain)) return false;
    std::vector<std::pair<Value**, Value*>> changed;
    part.go_before();
    auto compare = [&](Value*& made, Value* before) {
      if (made == before) return;
      Value* none = llvm::Constant::getNullValue(made->getType());
      changed.emplace_back(&made, before == nullptr ? none : converted(before, made->getType()));
    };
    for (auto& [name, made] : registers_) compare(made, registers.contains(name) ? registers.at(name) : nullptr);
    for (std::size_t i = 0; i < operands.size(); ++i) compare(operands_[i], operands[i]);
    part.leave();
    for (auto& [made, before] : changed) *made = part.either(*made, before);
    return true;
  }

  bool lower_barrier(const PtxInstruction& instruction) {
    Type* word = builder_.getInt32Ty();
    if (instruction.has("warp")) return act("weakspot_syncwarp", {value(instruction, 0, word)});
    const bool arrives = instruction.has("arrive");
    if (instruction.has("cluster")) {
      const std::uint32_t kind = instruction.has("relaxed") ? kClusterRelaxed : kCluster;
      return act(arrives ? "weakspot_blocks_arrive" : "weakspot_blocks_wait", {builder_.getInt32(kind)});
    }
    if (instruction.has("red")) return lower_barrier_reduction(instruction);
    if (!arrives && !instruction.has("sync")) return false;
    if (instruction.operands.empty()) return false;
    const PtxOperand& number = instruction.operands[0];
    const bool all = instruction.operands.size() == 1;
    if (all && !arrives && number.kind == PtxOperand::Kind::number && number.number == 0) {
      return act("weakspot_barrier", {});
    }
    Value* count = all ? builder_.getInt32(0) : value(instruction, 1, word);
    return act("weakspot_named_barrier", {builder_.getInt32(arrives ? 1 : 0), value(instruction, 0, word), count});
  }

  // bar.red.popc.u32 d, 0, p and bar.red.or.pred q, 1, 64, p
  bool lower_barrier_reduction(const PtxInstruction& instruction) {
    Type* word = builder_.getInt32Ty();
    const std::vector<PtxOperand>& operands = instruction.operands;
    if (operands.size() != 3 && operands.size() != 4) return false;
    const BarrierReduction kind = instruction.has("popc") ? kCountTrue : instruction.has("and") ? kAllTrue : kAnyTrue;
    const bool all = operands.size() == 3;
    Value *how = builder_.getInt32(kind), *given = value(instruction, operands.size() - 1, word);
    if (all && operands[1].kind == PtxOperand::Kind::number && operands[1].number == 0) {
      return assign(instruction, 0, hook("weakspot_barrier_reduce", word, {how, given}));
    }
    Value* count = all ? builder_.getInt32(0) : value(instruction, 2, word);
    return assign(instruction, 0,
                  hook("weakspot_named_barrier_reduce", word, {how, value(instruction, 1, word), count, given}));
  }

  // The address of a shared variable in another block of the cluster.
  bool lower_map(const PtxInstruction& instruction) {
    if (instruction.operands.size() != 3) return false;
    PtxOperand from = instruction.operands[1];
    from.base_is_name = from.kind == PtxOperand::Kind::name;
    Value* mapped =
        hook("weakspot_map_shared", builder_.getPtrTy(), {address(from), value(instruction, 2, builder_.getInt32Ty())});
    return assign(instruction, 0, converted(mapped, integer(std::max(ptx_type_size(instruction), 4u))));
  }

  bool lower_fence(const PtxInstruction& instruction) {
    if (instruction.has("proxy") || instruction.has("sync_restrict")) return false;
    return act("weakspot_fence", {builder_.getInt32(static_cast<std::uint32_t>(ptx_scope(instruction))),
                                  builder_.getInt32(static_cast<std::uint32_t>(ptx_fence(instruction)))});
  }

  Value* atomic(const PtxInstruction& instruction, const PtxOperand& where, int operation, Value* operand,
                Value* compare) {
    const unsigned size = ptx_type_size(instruction);
    if (size == 0 || size > 8 || operand == nullptr || compare == nullptr) return nullptr;
    auto number = [&](int n) { return builder_.getInt32(static_cast<std::uint32_t>(n)); };
    Type* wide = builder_.getInt64Ty();
    Value* old = hook("weakspot_atomic", wide,
                      {value(where), number(operation), builder_.getInt32(size), number(ptx_scope(instruction)),
                       number(ptx_order(instruction)), converted(operand, wide), converted(compare, wide)});
    return converted(old, integer(size));
  }

  // One access of all elements.
  bool lower_vector_access(const PtxInstruction& instruction, bool store) {
    const PtxOperand& vector = instruction.operands[store ? 1 : 0];
    Value* where = value(instruction.operands[store ? 0 : 1]);
    if (where == nullptr || vector.kind != PtxOperand::Kind::vector || vector.elements.empty()) return false;
    Type* element = integer(ptx_type_size(instruction));
    const auto count = static_cast<unsigned>(vector.elements.size());
    auto* type = llvm::FixedVectorType::get(element, count);
    Value* all = store ? llvm::PoisonValue::get(type) : load_from(instruction, type, where);
    for (unsigned i = 0; i < count; ++i) {
      if (store) {
        Value* given = converted(value(vector.elements[i]), element);
        if (given == nullptr) return false;
        all = builder_.CreateInsertElement(all, given, i);
      } else if (!assign_to(vector.elements[i], builder_.CreateExtractElement(all, i))) {
        return false;
      }
    }
    if (store) builder_.CreateStore(all, where, instruction.has("volatile"));
    return true;
  }

  // mov between a register and the vector of its parts.
  bool lower_parts(const PtxInstruction& instruction) {
    const unsigned size = ptx_type_size(instruction);
    const bool packs = instruction.operands[1].kind == PtxOperand::Kind::vector;
    const PtxOperand& vector = instruction.operands[packs ? 1 : 0];
    const auto count = static_cast<unsigned>(vector.elements.size());
    if (count == 0 || size == 0 || size % count != 0) return false;
    Type *whole = integer(size), *part = integer(size / count);
    Value* all = packs ? llvm::ConstantInt::get(whole, 0) : value(instruction, 1, whole);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned shift = i * size / count * 8;
      if (packs) {
        Value* given = converted(converted(value(vector.elements[i]), part), whole);
        if (given == nullptr) return false;
        all = builder_.CreateOr(all, builder_.CreateShl(given, shift));
      } else if (all == nullptr ||
                 !assign_to(vector.elements[i], builder_.CreateTrunc(builder_.CreateLShr(all, shift), part))) {
        return false;
      }
    }
    return !packs || assign(instruction, 0, all);
  }

  bool lower_load(const PtxInstruction& instruction) {
    if (!is_ptx_access(instruction)) return false;
    if (is_ptx_vector(instruction)) return lower_vector_access(instruction, false);
    if (is_ptx_strong(instruction)) {
      Value* zero = builder_.getInt64(0);
      return assign(instruction, 0, atomic(instruction, instruction.operands[1], kLoad, zero, zero));
    }
    Value* from = value(instruction.operands[1]);
    if (from == nullptr) return false;
    return assign(instruction, 0, load_from(instruction, integer(ptx_type_size(instruction)), from));
  }
  Value* load_from(const PtxInstruction& instruction, Type* type, Value* from) {
    llvm::LoadInst* load = builder_.CreateLoad(type, from, instruction.has("volatile"));
    if (instruction.has("nc")) mark_read_only(*load);
    return load;
  }

  bool lower_store(const PtxInstruction& instruction) {
    if (!is_ptx_access(instruction)) return false;
    if (is_ptx_vector(instruction)) return lower_vector_access(instruction, true);
    Value* stored = value(instruction, 1, integer(ptx_type_size(instruction)));
    Value* to = value(instruction.operands[0]);
    if (stored == nullptr || to == nullptr) return false;
    if (is_ptx_strong(instruction)) {
      return atomic(instruction, instruction.operands[0], kStore, stored, builder_.getInt64(0)) != nullptr;
    }
    builder_.CreateStore(stored, to, instruction.has("volatile"));
    return true;
  }

  // The elements of a vector are atomic one by one.
  bool lower_atomic(const PtxInstruction& instruction, bool no_result) {
    const int operation = ptx_atomic_operation(instruction);
    const std::size_t at = no_result ? 0 : 1;
    const bool compares = operation == kCompareExchange;
    if (operation < 0 || instruction.operands.size() < at + (compares ? 3u : 2u)) return false;
    const unsigned size = ptx_type_size(instruction);
    Type* type = integer(std::max(size, 1u));
    Value* compare = compares ? value(instruction, at + 1, type) : builder_.getInt64(0);
    const std::vector<PtxOperand> given = ptx_elements(instruction.operands[at + (compares ? 2 : 1)]);
    const std::vector<PtxOperand> to = no_result ? given : ptx_elements(instruction.operands[0]);
    if (given.size() != to.size()) return false;
    PtxOperand where = instruction.operands[at];
    for (std::size_t i = 0; i < given.size(); ++i, where.number += size) {
      Value* operand =
          given[i].kind == PtxOperand::Kind::real ? ptx_real(*type, given[i].real) : converted(value(given[i]), type);
      Value* old = atomic(instruction, where, operation, operand, compare);
      if (old == nullptr || (!no_result && !assign_to(to[i], old))) return false;
    }
    return true;
  }

  // isspacep.shared p, a: in the window of the block's shared memory; all else is global.
  bool lower_space(const PtxInstruction& instruction) {
    Value* address = value(instruction, 1, builder_.getInt64Ty());
    const std::string& space = instruction.opcode.back();
    if (address == nullptr) return false;
    Value* window = converted(field(offsetof(ThreadContext, shared), builder_.getPtrTy()), builder_.getInt64Ty());
    Value* shared = builder_.CreateICmpULT(builder_.CreateSub(address, window), builder_.getInt64(Arena::kWindow));
    Value* holds = space.starts_with("shared") ? shared
                   : space == "global"         ? builder_.CreateNot(shared)
                                               : builder_.getFalse();
    return assign(instruction, 0, builder_.CreateZExt(holds, builder_.getInt32Ty()));
  }

  // The operands after the result, as bits.
  bool lower_float(const PtxInstruction& instruction) {
    std::vector<Value*> operands;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const bool real = instruction.operands[i].kind == PtxOperand::Kind::real;
      Value* given = real ? value(instruction, i, integer(std::max(ptx_type_size(instruction), 1u)))
                          : value(instruction.operands[i]);
      if (given == nullptr) return false;
      Type* type = given->getType();
      operands.push_back(converted(given, type->isPointerTy() || type->isIntegerTy() ? type : bits_like(type)));
    }
    const bool converts = instruction.opcode.front() == "cvt";
    return assign(
        instruction, 0,
        converts ? ptx_conversion(builder_, instruction, operands) : ptx_float_result(builder_, instruction, operands));
  }

  bool lower_comparison(const PtxInstruction& instruction) {
    const std::vector<Value*> made =
        ptx_comparison(builder_, instruction, [&](std::size_t i, Type* type) { return value(instruction, i, type); });
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!assign(instruction, i, made[i])) return false;
    }
    return !made.empty();
  }

  // The moves, conversions and comparisons that stand around the others.
  bool lower_plain(const PtxInstruction& instruction) {
    const std::string& name = instruction.opcode.front();
    if (name == "set" || name == "setp") return lower_comparison(instruction);
    const bool moves = name == "selp" || name == "mov" || name == "slct";
    if (name == "cvt" || (ptx_float_type(instruction) && !moves)) return lower_float(instruction);
    const unsigned size = instruction.opcode.back() == "pred" ? 4 : ptx_type_size(instruction);
    if (name == "selp") {
      Type* type = integer(std::max(size, 1u));
      Value *yes = value(instruction, 1, type), *no = value(instruction, 2, type);
      Value* condition = value(instruction, 3, builder_.getInt32Ty());
      if (yes == nullptr || no == nullptr || condition == nullptr) return false;
      return assign(instruction, 0, builder_.CreateSelect(builder_.CreateIsNotNull(condition), yes, no));
    }
    if (size == 0 || size > 8 || (is_ptx_typed(instruction, 'f') && name != "slct")) return false;
    if (name == "mov" && instruction.operands.size() == 2 &&
        (instruction.operands[0].kind == PtxOperand::Kind::vector ||
         instruction.operands[1].kind == PtxOperand::Kind::vector)) {
      return lower_parts(instruction);
    }
    if (name == "mov" || name == "cvta") return assign(instruction, 0, value(instruction, 1, integer(size)));
    return assign(
        instruction, 0,
        ptx_integer_result(
            builder_, instruction, [&](std::size_t i, Type* type) { return value(instruction, i, type); }, carry_));
  }

  llvm::CallInst& call_;
  race::SiteId site_;
  std::vector<llvm::Instruction*> made_;
  PtxBuilder builder_;
  std::vector<Value*> operands_;
  unsigned outputs_ = 0;
  std::map<std::string, Value*> registers_;
  Value* carry_ = nullptr;  // from the last instruction that sets it
  bool trial_ = false;
};

}  // namespace

bool lower_inline_ptx(llvm::CallInst& call, SiteTable& sites) { return PtxLowering(call, sites).run(); }

}  // namespace weakspot::race_jit
