// SPDX-License-Identifier: MIT
// The plain instructions of FunctionTranslator: moves, accesses, calls, whole numbers.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <optional>

#include "race_jit/bitcode/read_only.h"
#include "race_jit/from_ptx/addresses.h"
#include "race_jit/from_ptx/function_translator.h"

namespace weakspot::race_jit {
namespace {

namespace ptx = race::ptx;
namespace intrinsic = llvm::Intrinsic;

// "s32": signed, 4 bytes. Nothing if the word is not a type of bits or whole numbers.
struct Whole {
  unsigned bytes = 0;
  bool is_signed = false;
};

std::optional<Whole> whole_type(const std::string& word) {
  const std::optional<unsigned> bytes = ptx::type_size(word);
  const bool whole = bytes && *bytes <= 8 && (word[0] == 'u' || word[0] == 's' || (word[0] == 'b' && word[1] != 'f'));
  return whole ? std::optional<Whole>({*bytes, word[0] == 's'}) : std::nullopt;
}

// Accesses that are not plain: of an order or a scope, or of another kind of memory than their address.
bool is_strong(const ptx::Instruction& instruction) {
  for (const std::string_view word : {"relaxed", "acquire", "release", "mmio", "async"}) {
    if (instruction.has(word)) return true;
  }
  return false;
}

}  // namespace

bool FunctionTranslator::move(const Instruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  if (instruction.has("v2") || instruction.has("v4")) return move_parts(instruction);
  if (to.kind != Operand::Kind::reg) return false;
  Type* type = register_type(to.reg);
  if (type->isIntegerTy(128)) return false;
  if (instruction.name() == "cvta" && instruction.has("shared") && !instruction.has("to")) {
    // From the window of shared memory, in which an address may have lost its upper half.
    Value* address = value(from, builder_.getInt64Ty());
    if (address == nullptr) return false;
    return assign(to, builder_.CreatePtrToInt(shared_pointer(builder_, address), builder_.getInt64Ty()));
  }
  Value* given = value(from, type);
  return given != nullptr && assign(to, given);
}

// mov.v2.u32 {a, b}, {b, a}: all parts are read before one is written.
bool FunctionTranslator::move_parts(const Instruction& instruction) {
  const std::vector<Operand>&to = instruction.operands[0].elements, &from = instruction.operands[1].elements;
  const std::optional<unsigned> bytes = ptx::type_size(instruction.opcode.back());
  std::vector<Value*> values;
  for (const Operand& part : from) {
    values.push_back(bytes ? value(part, integer(*bytes)) : nullptr);
    if (values.back() == nullptr) return false;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to.size() != from.size() || !assign(to[i], values[i])) return false;
  }
  return !to.empty();
}

bool FunctionTranslator::access(const Instruction& instruction) {
  if (is_strong(instruction) || instruction.operands.size() < 2) return false;
  const bool store = instruction.name() == "st";
  const Operand& memory = instruction.operands[store ? 0 : 1];
  const Operand& data = instruction.operands[store ? 1 : 0];
  const std::optional<unsigned> bytes = ptx::type_size(instruction.opcode.back());
  if (!bytes || *bytes > 16 || instruction.opcode.back() == "pred") return false;
  const bool is_signed = instruction.opcode.back()[0] == 's';
  const std::vector<Operand> elements = data.kind == Operand::Kind::vector ? data.elements : std::vector<Operand>{data};
  if (elements.empty()) return false;
  const bool parameter = std::any_of(instruction.opcode.begin(), instruction.opcode.end(),
                                     [](const std::string& word) { return word.starts_with("param"); });
  Value* address = nullptr;
  if (parameter) {
    if (Value* whole = scalar_parameter(memory)) {
      if (store || elements.size() != 1) return false;
      return assign(elements.front(), builder_.CreateZExtOrTrunc(whole, integer(*bytes)), is_signed);
    }
    // nvcc also takes the address of a structure into a register.
    address = memory.reg == ptx::kNone ? parameter_memory(memory) : pointer(memory, false);
  } else {
    const bool shared = instruction.has("shared") || instruction.has("shared::cta");
    if (instruction.has("shared::cluster")) return false;
    address = pointer(memory, shared);
  }
  if (address == nullptr) return false;
  Type* element = integer(*bytes);
  const auto count = static_cast<unsigned>(elements.size());
  Type* type = count == 1 ? element : llvm::FixedVectorType::get(element, count);
  const bool is_volatile = instruction.has("volatile");
  const llvm::Align align(std::min<std::uint64_t>(std::uint64_t{*bytes} * count, 16));
  if (store) {
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < count; ++i) {
      Value* given = value(elements[i], element);
      if (given == nullptr) return false;
      all = count == 1 ? given : builder_.CreateInsertElement(all, given, i);
    }
    builder_.CreateAlignedStore(all, address, align, is_volatile);
    return true;
  }
  llvm::LoadInst* all_of_it = builder_.CreateAlignedLoad(type, address, align, is_volatile);
  if (instruction.has("nc")) mark_read_only(*all_of_it);
  Value* all = all_of_it;
  for (unsigned i = 0; i < count; ++i) {
    if (!assign(elements[i], count == 1 ? all : builder_.CreateExtractElement(all, i), is_signed)) return false;
  }
  return true;
}

// A parameter of a kernel that is a number or a pointer.
llvm::Value* FunctionTranslator::scalar_parameter(const Operand& operand) {
  for (unsigned i = 0; i < from_.parameters.size() && from_.entry; ++i) {
    llvm::Argument* argument = function_.getArg(i);
    if (from_.parameters[i].name != operand.name || argument->hasByValAttr()) continue;
    Value*& number = addresses_["." + operand.name];
    if (number == nullptr) {
      llvm::IRBuilder<> entry(entry_end_);
      Type* type = integer(static_cast<unsigned>(from_.parameters[i].size()));
      number = argument->getType()->isPointerTy() ? entry.CreatePtrToInt(argument, type)
                                                  : entry.CreateBitCast(argument, type);
    }
    return operand.number == 0 || operand.number >= from_.parameters[i].size()
               ? number
               : builder_.CreateLShr(number, 8 * operand.number);
  }
  return nullptr;
}

// call (result), name, (parameters); the lists may be missing.
bool FunctionTranslator::call(const Instruction& instruction) {
  std::vector<Operand> results, given;
  const Operand* name = nullptr;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Operand::Kind::list) {
      std::vector<Operand>& list = name == nullptr ? results : given;
      for (const Operand& element : operand.elements) {
        if (element.kind != Operand::Kind::vector) list.push_back(element);
        list.insert(list.end(), element.elements.begin(), element.elements.end());
      }
    } else if (name == nullptr && operand.kind == Operand::Kind::name) {
      name = &operand;
    }
  }
  auto found = name == nullptr ? functions_.end() : functions_.find(name->name);
  if (found == functions_.end()) return false;
  const PtxCallee& callee = found->second;
  if (given.size() != callee.from->parameters.size() || results.size() != callee.from->results.size()) return false;
  std::vector<Value*> arguments;
  for (unsigned i = 0; i < given.size(); ++i) {
    auto slot = memory_.find(given[i].name);
    Type* type = callee.function->getFunctionType()->getParamType(i);
    if (slot != memory_.end()) {
      arguments.push_back(type->isPointerTy() ? slot->second : builder_.CreateLoad(type, slot->second));
    } else if (Value* passed = type->isPointerTy() ? nullptr : value(given[i], type)) {
      arguments.push_back(passed);
    } else {
      return false;
    }
  }
  // Where each result is written, and the register that then takes it; without a slot it is returned.
  const bool pointers = by_pointer(*callee.from);
  std::vector<Value*> slots;
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto to = memory_.find(results[i].name);
    const bool has_slot = to != memory_.end();
    const bool assigned = results[i].kind == Operand::Kind::reg || results[i].name == "_";
    if (!has_slot && (!assigned || !is_scalar(callee.from->results[i]))) return false;
    slots.push_back(has_slot ? to->second : nullptr);
    if (!pointers) continue;
    llvm::IRBuilder<> entry(entry_end_);
    if (!has_slot) slots[i] = entry.CreateAlloca(integer(static_cast<unsigned>(callee.from->results[i].size())));
    arguments.push_back(slots[i]);
  }
  llvm::CallInst* made = builder_.CreateCall(callee.function, arguments);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (callee.function->getArg(i)->hasByValAttr()) {
      made->addParamAttr(i, callee.function->getParamAttribute(i, llvm::Attribute::ByVal));
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].kind == Operand::Kind::reg) {
      Value* result =
          pointers ? builder_.CreateLoad(integer(static_cast<unsigned>(callee.from->results[i].size())), slots[i])
                   : static_cast<Value*>(made);
      if (!assign(results[i], result)) return false;
    } else if (!pointers && slots[i] != nullptr) {
      builder_.CreateStore(made, slots[i]);
    }
  }
  return true;
}

bool FunctionTranslator::predicates(const Instruction& instruction) {
  const std::string& name = instruction.name();
  const std::vector<Operand>& operands = instruction.operands;
  if (operands.size() < 2) return false;
  Value* a = value(operands[1], builder_.getInt1Ty());
  if (a == nullptr) return false;
  if (name == "not") return assign(operands[0], builder_.CreateNot(a));
  Value* b = operands.size() == 3 ? value(operands[2], builder_.getInt1Ty()) : nullptr;
  if (b == nullptr) return false;
  if (name == "and") return assign(operands[0], builder_.CreateAnd(a, b));
  if (name == "or") return assign(operands[0], builder_.CreateOr(a, b));
  return name == "xor" && assign(operands[0], builder_.CreateXor(a, b));
}

bool FunctionTranslator::choose(const Instruction& instruction) {
  const std::optional<unsigned> bytes = ptx::type_size(instruction.opcode.back());
  if (!bytes || instruction.operands.size() != 4) return false;
  Value* yes = value(instruction.operands[1], integer(*bytes));
  Value* no = value(instruction.operands[2], integer(*bytes));
  Value* holds = value(instruction.operands[3], builder_.getInt1Ty());
  if (yes == nullptr || no == nullptr || holds == nullptr) return false;
  return assign(instruction.operands[0], builder_.CreateSelect(holds, yes, no));
}

// setp.lt.s32 p, a, b and setp.lt.and.s32 p, a, b, q.
bool FunctionTranslator::compare(const Instruction& instruction) {
  using llvm::CmpInst;
  struct Row {
    const char* name;
    CmpInst::Predicate with_sign, without;
  };
  static constexpr Row kRows[] = {
      {"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ},   {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE},
      {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT}, {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE},
      {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT}, {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE},
      {"lo", CmpInst::ICMP_ULT, CmpInst::ICMP_ULT}, {"ls", CmpInst::ICMP_ULE, CmpInst::ICMP_ULE},
      {"hi", CmpInst::ICMP_UGT, CmpInst::ICMP_UGT}, {"hs", CmpInst::ICMP_UGE, CmpInst::ICMP_UGE}};
  const std::optional<Whole> whole = whole_type(instruction.opcode.back());
  if (!whole || instruction.opcode.size() != 3 || instruction.operands.size() != 3) return false;
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& one) { return instruction.opcode[1] == one.name; });
  Value* a = value(instruction.operands[1], integer(whole->bytes));
  Value* b = value(instruction.operands[2], integer(whole->bytes));
  if (row == std::end(kRows) || a == nullptr || b == nullptr) return false;
  return assign(instruction.operands[0], builder_.CreateICmp(whole->is_signed ? row->with_sign : row->without, a, b));
}

// Between whole numbers.
bool FunctionTranslator::convert(const Instruction& instruction) {
  if (instruction.opcode.size() != 3 || instruction.operands.size() != 2) return false;
  const std::optional<Whole> to = whole_type(instruction.opcode[1]), from = whole_type(instruction.opcode[2]);
  if (!to || !from) return false;
  Value* given = value(instruction.operands[1], integer(from->bytes));
  if (given == nullptr) return false;
  Type* type = integer(to->bytes);
  given = from->is_signed ? builder_.CreateSExtOrTrunc(given, type) : builder_.CreateZExtOrTrunc(given, type);
  return assign(instruction.operands[0], given, to->is_signed);
}

llvm::Value* FunctionTranslator::product(const Instruction& instruction, Type* type, bool is_signed) {
  Value* a = value(instruction.operands[1], type);
  Value* b = value(instruction.operands[2], type);
  if (a == nullptr || b == nullptr) return nullptr;
  if (instruction.has("lo")) return builder_.CreateMul(a, b);
  const unsigned bits = type->getIntegerBitWidth();
  Type* twice = builder_.getIntNTy(2 * bits);
  auto widened = [&](Value* v) { return is_signed ? builder_.CreateSExt(v, twice) : builder_.CreateZExt(v, twice); };
  Value* made = builder_.CreateMul(widened(a), widened(b));
  if (instruction.has("wide")) return made;
  return instruction.has("hi") ? builder_.CreateTrunc(builder_.CreateLShr(made, bits), type) : nullptr;
}

// Division by zero gives all ones, as GPUs do, and the least number divided by -1 itself.
llvm::Value* FunctionTranslator::quotient(Value* a, Value* b, bool is_signed, bool remainder) {
  Type* type = a->getType();
  Value *one = llvm::ConstantInt::get(type, 1), *ones = llvm::Constant::getAllOnesValue(type);
  Value* by_zero = builder_.CreateIsNull(b);
  Value* divisor = builder_.CreateSelect(by_zero, one, b);
  if (!is_signed) {
    Value* made = remainder ? builder_.CreateURem(a, divisor) : builder_.CreateUDiv(a, divisor);
    return builder_.CreateSelect(by_zero, remainder ? a : ones, made);
  }
  Value* negates = builder_.CreateICmpEQ(b, ones);
  divisor = builder_.CreateSelect(negates, one, divisor);
  Value* made = remainder ? builder_.CreateSRem(a, divisor) : builder_.CreateSDiv(a, divisor);
  if (!remainder) made = builder_.CreateSelect(negates, builder_.CreateNeg(a), made);
  return builder_.CreateSelect(by_zero, remainder ? a : ones, made);
}

// redux.sync.max.s32 d, a, mask; not those of numbers with a fraction.
bool FunctionTranslator::reduce_warp(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  if (instruction.opcode.size() != 4 || operands.size() != 3 || !whole_type(instruction.opcode[3])) return false;
  const std::string& how = instruction.opcode[2];
  const bool without_sign = instruction.opcode[3] == "u32" && (how == "min" || how == "max");
  Type* word = builder_.getInt32Ty();
  Value *given = value(operands[1], word), *lanes = value(operands[2], word);
  if (given == nullptr || lanes == nullptr) return false;
  llvm::FunctionCallee reduction = function_.getParent()->getOrInsertFunction(
      fmt::format("llvm.nvvm.redux.sync.{}{}", without_sign ? "u" : "", how), word, word, word);
  return assign(operands[0], builder_.CreateCall(reduction, {lanes, given}));
}

bool FunctionTranslator::compute(const Instruction& instruction) {
  const std::string& name = instruction.name();
  const std::vector<Operand>& operands = instruction.operands;
  const std::optional<Whole> whole = whole_type(instruction.opcode.back());
  for (const std::string_view word : {"cc", "sat"}) {
    if (instruction.has(word)) return false;
  }
  if (!whole || operands.size() < 2 || operands[0].kind != Operand::Kind::reg) return false;
  Type* type = integer(whole->bytes);
  const bool is_signed = whole->is_signed;
  if (name == "mul" || name == "mad") {
    if (operands.size() != (name == "mul" ? 3 : 4)) return false;
    Value* made = product(instruction, type, is_signed);
    Value* added = made == nullptr || name == "mul" ? nullptr : value(operands[3], made->getType());
    if (made == nullptr || (name == "mad" && added == nullptr)) return false;
    return assign(operands[0], name == "mul" ? made : builder_.CreateAdd(made, added), is_signed);
  }
  if (instruction.opcode.size() != 2) return false;
  Value* a = value(operands[1], type);
  if (a == nullptr) return false;
  if (operands.size() == 2) {
    if (name == "neg") return assign(operands[0], builder_.CreateNeg(a));
    if (name == "not") return assign(operands[0], builder_.CreateNot(a));
    return name == "abs" &&
           assign(operands[0], builder_.CreateBinaryIntrinsic(intrinsic::smax, a, builder_.CreateNeg(a)));
  }
  if (operands.size() != 3) return false;
  if (name == "shl" || name == "shr") {
    Value* by = value(operands[2], builder_.getInt32Ty());
    if (by == nullptr) return false;
    // Shifts by the whole width and more leave nothing but the sign.
    Value* most = builder_.getInt32(8 * whole->bytes - 1);
    Value* too_far = builder_.CreateICmpUGT(by, most);
    Value* amount = builder_.CreateZExtOrTrunc(builder_.CreateSelect(too_far, most, by), type);
    if (name == "shr" && is_signed) return assign(operands[0], builder_.CreateAShr(a, amount), true);
    Value* made = name == "shl" ? builder_.CreateShl(a, amount) : builder_.CreateLShr(a, amount);
    return assign(operands[0], builder_.CreateSelect(too_far, llvm::ConstantInt::get(type, 0), made));
  }
  Value* b = value(operands[2], type);
  if (b == nullptr) return false;
  Value* made = nullptr;
  if (name == "add") made = builder_.CreateAdd(a, b);
  if (name == "sub") made = builder_.CreateSub(a, b);
  if (name == "and") made = builder_.CreateAnd(a, b);
  if (name == "or") made = builder_.CreateOr(a, b);
  if (name == "xor") made = builder_.CreateXor(a, b);
  if (name == "div" || name == "rem") made = quotient(a, b, is_signed, name == "rem");
  if (name == "min") made = builder_.CreateBinaryIntrinsic(is_signed ? intrinsic::smin : intrinsic::umin, a, b);
  if (name == "max") made = builder_.CreateBinaryIntrinsic(is_signed ? intrinsic::smax : intrinsic::umax, a, b);
  return made != nullptr && assign(operands[0], made, is_signed);
}

}  // namespace weakspot::race_jit
