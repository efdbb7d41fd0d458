// SPDX-License-Identifier: MIT
// Values: what is known is computed by LLVM's own constant folding, what is not becomes an instruction.
#include <fmt/format.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include <bit>

#include "race_jit/residual/walker.h"

namespace weakspot::race_jit {

using llvm::Type;

namespace {

bool has_width(unsigned bits) { return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64; }

}  // namespace

// The value in registers that belong to the instruction.
Walker::Value Walker::held(const Instruction& instruction, const Value& value, Type* type, std::uint64_t part) {
  if (value.kind == Value::Kind::parts) {
    Value all{Value::Kind::parts, 0, {}};
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      all.parts.push_back(held(instruction, value.parts[i], types_.part_type(type, i), part * 64 + i + 1));
    }
    return all;
  }
  if (value.kind != Value::Kind::unknown) return value;
  return emit_compute(instruction, Op::mov, {value}, types_.bits_of(type), part);
}

Walker::Value Walker::emit_compute(const Instruction& instruction, Op op, std::vector<Value> operands, unsigned bits,
                                   std::uint64_t part) {
  if (!has_width(bits)) {
    stop(instruction, Stop::not_modelled, fmt::format("a value of {} bits that is not known", bits));
    return {};
  }
  residual::Instruction made{.kind = Kind::compute, .op = op};
  made.place = program_.place(instruction);
  for (const Value& operand : operands) made.operands.push_back(as_operand(operand));
  made.target = registers_.of(program_.number(instruction), part, bits);
  const Value result = Value::unknown(*made.target);
  emit(std::move(made));
  return result;
}

Walker::Value Walker::temporary(const Instruction& instruction, Op op, std::vector<Value> operands, unsigned bits) {
  residual::Instruction made{.kind = Kind::compute, .op = op};
  made.place = program_.place(instruction);
  for (const Value& operand : operands) made.operands.push_back(as_operand(operand));
  made.target = registers_.fresh(bits);
  const Value result = Value::unknown(*made.target);
  emit(std::move(made));
  return result;
}

Walker::Value Walker::operand(const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return constant_value(*constant);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return arguments_[argument->getArgNo()];
  if (const auto* instruction = llvm::dyn_cast<Instruction>(value)) {
    const auto known = point_.values.find(program_.number(*instruction));
    if (known != point_.values.end()) return known->second;
  }
  return types_.undefined(value->getType());
}

Walker::Value Walker::constant_value(const llvm::Constant& constant) {
  Type* type = constant.getType();
  if (llvm::isa<llvm::UndefValue>(constant)) return types_.undefined(type);
  if (types_.is_aggregate(type)) {
    Value all{Value::Kind::parts, 0, {}};
    for (unsigned i = 0; i < types_.part_count(type); ++i) {
      const llvm::Constant* part = constant.getAggregateElement(i);
      all.parts.push_back(part == nullptr ? types_.undefined(types_.part_type(type, i)) : constant_value(*part));
    }
    return all;
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (number->getBitWidth() > 64) return {};
    return Value::known(number->getZExtValue());
  }
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    return bits.getBitWidth() > 64 ? Value{} : Value::known(bits.getZExtValue());
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return Value::known(0);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    void* address = program_.variable(global->getName().str());
    return address == nullptr ? Value{} : Value::known(addresses_.steady(reinterpret_cast<std::uint64_t>(address)));
  }
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(expression)) return address_of(*gep, *point_.at);
    if (expression->isCast()) {
      Value value = operand(expression->getOperand(0));
      if (value.kind == Value::Kind::known) value.bits = low_bits(value.bits, types_.bits_of(type));
      return value;
    }
    const unsigned opcode = expression->getOpcode();
    if (opcode == Instruction::Add || opcode == Instruction::Sub) {
      const Value left = operand(expression->getOperand(0)), right = operand(expression->getOperand(1));
      if (!left.is_known() || !right.is_known()) return {};
      return Value::known(
          low_bits(opcode == Instruction::Add ? left.bits + right.bits : left.bits - right.bits, types_.bits_of(type)));
    }
  }
  return {};
}

Walker::Value Walker::compute(const Instruction& instruction) {
  Type* type = instruction.getType();
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) return address_of(*gep, instruction);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return choose(*select);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    Value value = operand(extract->getAggregateOperand());
    for (const unsigned index : extract->indices()) value = Value(value.parts.at(index));
    return held(instruction, value, type);
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Value value = operand(insert->getAggregateOperand());
    Value* at = &value;
    for (const unsigned index : insert->indices()) at = &at->parts.at(index);
    *at = operand(insert->getInsertedValueOperand());
    return held(instruction, value, type);
  }
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const Value vector = operand(extract->getVectorOperand()), index = operand(extract->getIndexOperand());
    if (index.kind == Value::Kind::known && index.bits < vector.parts.size()) {
      return held(instruction, vector.parts[index.bits], type);
    }
    need_known(instruction, extract->getIndexOperand(), "the number of an element");
    return {};
  }
  if (llvm::isa<llvm::InsertElementInst>(instruction)) {
    Value vector = operand(instruction.getOperand(0));
    const Value index = operand(instruction.getOperand(2));
    if (index.kind == Value::Kind::known && index.bits < vector.parts.size()) {
      vector.parts[index.bits] = operand(instruction.getOperand(1));
      return held(instruction, vector, type);
    }
    need_known(instruction, instruction.getOperand(2), "the number of an element");
    return {};
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    const Value left = operand(shuffle->getOperand(0)), right = operand(shuffle->getOperand(1));
    Value all{Value::Kind::parts, 0, {}};
    for (const int index : shuffle->getShuffleMask()) {
      const auto at = static_cast<std::size_t>(index);
      all.parts.push_back(index < 0                ? Value{}
                          : at < left.parts.size() ? left.parts[at]
                                                   : right.parts.at(at - left.parts.size()));
    }
    return held(instruction, all, type);
  }
  std::vector<Value> operands;
  for (const llvm::Use& use : instruction.operands()) operands.push_back(operand(use.get()));
  if (ended_) return {};
  if (type->isVectorTy() || (instruction.getNumOperands() > 0 && instruction.getOperand(0)->getType()->isVectorTy())) {
    return each_part(instruction, operands);
  }
  return scalar(instruction, operands, instruction.getOperand(0)->getType(), type, 0);
}

Walker::Value Walker::each_part(const Instruction& instruction, const std::vector<Value>& operands) {
  Type *from = instruction.getOperand(0)->getType(), *to = instruction.getType();
  const bool same = from->isVectorTy() && to->isVectorTy() && types_.part_count(from) == types_.part_count(to);
  if (!same) {  // a cast between vectors of other shapes
    std::vector<llvm::Constant*> constants;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      constants.push_back(types_.as_constant(operands[i], instruction.getOperand(static_cast<unsigned>(i))->getType()));
    }
    llvm::Constant* result =
        constants.size() == 1 && constants[0] != nullptr && instruction.isCast()
            ? llvm::ConstantFoldCastOperand(instruction.getOpcode(), constants[0], to, program_.layout())
            : nullptr;
    if (result != nullptr) return constant_value(*result);
    need_known(instruction, instruction.getOperand(0), "a vector that is taken for another one");
    return {};
  }
  Value all{Value::Kind::parts, 0, {}};
  for (std::size_t i = 0; i < types_.part_count(to) && !ended_; ++i) {
    std::vector<Value> parts;
    for (const Value& operand : operands) parts.push_back(operand.parts.at(i));
    all.parts.push_back(scalar(instruction, parts, types_.part_type(from, i), types_.part_type(to, i), i + 1));
  }
  return all;
}

Walker::Value Walker::scalar(const Instruction& instruction, const std::vector<Value>& operands, Type* from, Type* to,
                             std::uint64_t part) {
  for (const Value& operand : operands) {
    if (operand.has_undefined()) return {};
  }
  for (const Value& operand : operands) {
    if (!operand.is_known()) return symbolic(instruction, operands, from, to, part);
  }
  return folded(instruction, operands, from, to);
}

Walker::Value Walker::folded(const Instruction& instruction, const std::vector<Value>& operands, Type* from, Type* to) {
  const unsigned opcode = instruction.getOpcode();
  if (opcode == Instruction::PtrToInt || opcode == Instruction::IntToPtr || opcode == Instruction::AddrSpaceCast ||
      opcode == Instruction::Freeze) {
    return Value::known(low_bits(operands[0].bits, types_.bits_of(to)));
  }
  Type* number = from->isPointerTy() ? Type::getInt64Ty(to->getContext()) : from;
  std::vector<llvm::Constant*> constants;
  for (const Value& operand : operands) constants.push_back(types_.as_constant(operand, number));
  llvm::Constant* result = nullptr;
  if (constants[0] != nullptr) {
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      result =
          llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), constants[0], constants[1], program_.layout());
    } else if (instruction.isCast()) {
      result = llvm::ConstantFoldCastOperand(opcode, constants[0], to, program_.layout());
    } else if (instruction.isBinaryOp()) {
      result = llvm::ConstantFoldBinaryOpOperands(opcode, constants[0], constants[1], program_.layout());
    } else if (instruction.isUnaryOp()) {
      result = llvm::ConstantFoldUnaryOpOperand(opcode, constants[0], program_.layout());
    }
  }
  if (result != nullptr) return constant_value(*result);
  stop(instruction, Stop::not_modelled, std::string("the instruction ") + instruction.getOpcodeName());
  return {};
}

Walker::Value Walker::symbolic(const Instruction& instruction, const std::vector<Value>& operands, Type* from, Type* to,
                               std::uint64_t part) {
  const unsigned bits = types_.bits_of(to);
  auto make = [&](Op op, std::vector<Value> given) {
    return emit_compute(instruction, op, std::move(given), bits, part);
  };
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    if (!has_width(types_.bits_of(from))) return make(Op::eq, operands);  // refuses
    const Value &a = operands[0], &b = operands[1];
    switch (compare->getPredicate()) {
      case llvm::CmpInst::ICMP_EQ:
        return make(Op::eq, {a, b});
      case llvm::CmpInst::ICMP_NE:
        return make(Op::ne, {a, b});
      case llvm::CmpInst::ICMP_ULT:
        return make(Op::less, {a, b});
      case llvm::CmpInst::ICMP_ULE:
        return make(Op::less_equal, {a, b});
      case llvm::CmpInst::ICMP_UGT:
        return make(Op::less, {b, a});
      case llvm::CmpInst::ICMP_UGE:
        return make(Op::less_equal, {b, a});
      case llvm::CmpInst::ICMP_SLT:
        return make(Op::less_signed, {a, b});
      case llvm::CmpInst::ICMP_SLE:
        return make(Op::less_equal_signed, {a, b});
      case llvm::CmpInst::ICMP_SGT:
        return make(Op::less_signed, {b, a});
      default:
        return make(Op::less_equal_signed, {b, a});
    }
  }
  const bool power =
      operands.size() > 1 && operands[1].kind == Value::Kind::known && std::has_single_bit(operands[1].bits);
  switch (instruction.getOpcode()) {
    case Instruction::Add:
      return make(Op::add, operands);
    case Instruction::Sub:
      return make(Op::sub, operands);
    case Instruction::Mul:
      return make(Op::mul, operands);
    case Instruction::And:
      return make(Op::and_, operands);
    case Instruction::Or:
      return make(Op::or_, operands);
    case Instruction::Xor:
      return make(Op::xor_, operands);
    case Instruction::Shl:
      return make(Op::shl, operands);
    case Instruction::LShr:
      return make(Op::shift_right, operands);
    case Instruction::AShr:
      return make(Op::shift_right_signed, operands);
    case Instruction::UDiv:
      if (!power) break;
      return make(Op::shift_right,
                  {operands[0], Value::known(static_cast<std::uint64_t>(std::countr_zero(operands[1].bits)))});
    case Instruction::URem:
      if (!power) break;
      return make(Op::and_, {operands[0], Value::known(operands[1].bits - 1)});
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze:
      return make(Op::mov, operands);
    case Instruction::BitCast:
      return make(Op::mov, operands);
    case Instruction::SExt:
      return make(Op::sign_extend, operands);
    default:
      break;
  }
  for (const llvm::Use& use : instruction.operands()) {
    if (operand(use.get()).has_unknown()) {
      need_known(instruction, use.get(), std::string("the operand of ") + instruction.getOpcodeName());
      break;
    }
  }
  return {};
}

Walker::Value Walker::address_of(const llvm::GEPOperator& gep, const Instruction& instruction) {
  if (gep.getType()->isVectorTy()) {
    stop(instruction, Stop::not_modelled, "a vector of addresses");
    return {};
  }
  Value sum = operand(gep.getPointerOperand());
  std::uint64_t offset = 0;
  for (auto at = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); at != end; ++at) {
    const Value index = operand(at.getOperand());
    if (index.has_undefined() || sum.has_undefined()) return {};
    if (llvm::StructType* structure = at.getStructTypeOrNull()) {
      offset += program_.layout().getStructLayout(structure)->getElementOffset(static_cast<unsigned>(index.bits));
      continue;
    }
    const std::uint64_t stride = at.getSequentialElementStride(program_.layout()).getFixedValue();
    const unsigned width = types_.bits_of(at.getOperand()->getType());
    if (index.kind == Value::Kind::known) {
      const std::uint64_t wide =
          width >= 64
              ? index.bits
              : static_cast<std::uint64_t>(static_cast<std::int64_t>(index.bits << (64 - width)) >> (64 - width));
      offset += wide * stride;
      continue;
    }
    Value wide = width >= 64 ? index : temporary(instruction, Op::sign_extend, {index}, 64);
    if (stride != 1) wide = temporary(instruction, Op::mul, {wide, Value::known(stride)}, 64);
    sum = temporary(instruction, Op::add, {sum, wide}, 64);
  }
  if (sum.kind == Value::Kind::known) return Value::known(sum.bits + offset);
  if (!llvm::isa<Instruction>(gep)) return {};
  return emit_compute(instruction, Op::add, {sum, Value::known(offset)}, 64, 0);
}

Walker::Value Walker::choose(const llvm::SelectInst& select) {
  const Value condition = operand(select.getCondition()), yes = operand(select.getTrueValue()),
              no = operand(select.getFalseValue());
  if (condition.kind == Value::Kind::known) return held(select, (condition.bits & 1) != 0 ? yes : no, select.getType());
  if (condition.kind != Value::Kind::unknown) {
    if (condition.kind == Value::Kind::undefined) return types_.undefined(select.getType());
    need_known(select, select.getCondition(), "a choice for each element");
    return {};
  }
  if (yes.kind == Value::Kind::parts || no.kind == Value::Kind::parts) {
    need_known(select, select.getCondition(), "a choice between structures");
    return {};
  }
  if (yes.has_undefined() || no.has_undefined()) return {};
  return emit_compute(select, Op::select, {condition, yes, no}, types_.bits_of(select.getType()), 0);
}

Walker::Value Walker::intrinsic(const llvm::IntrinsicInst& call) {
  std::vector<Value> operands;
  std::vector<llvm::Constant*> constants;
  bool known = true;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    operands.push_back(operand(call.getArgOperand(i)));
    constants.push_back(types_.as_constant(operands.back(), call.getArgOperand(i)->getType()));
    known = known && constants.back() != nullptr;
  }
  if (known && llvm::canConstantFoldCallTo(&call, call.getCalledFunction())) {
    if (llvm::Constant* result = llvm::ConstantFoldCall(&call, call.getCalledFunction(), constants)) {
      return constant_value(*result);
    }
  }
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  const bool less = id == llvm::Intrinsic::umin || id == llvm::Intrinsic::umax;
  const bool less_signed = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax;
  if ((less || less_signed) && operands[0].kind != Value::Kind::parts && !operands[0].has_undefined() &&
      !operands[1].has_undefined()) {
    const Value test = temporary(call, less ? Op::less : Op::less_signed, {operands[0], operands[1]}, 1);
    const bool minimum = id == llvm::Intrinsic::umin || id == llvm::Intrinsic::smin;
    return emit_compute(call, Op::select, {test, operands[minimum ? 0 : 1], operands[minimum ? 1 : 0]},
                        types_.bits_of(call.getType()), 0);
  }
  if (id == llvm::Intrinsic::expect) return held(call, operands[0], call.getType());
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (operands[i].has_undefined()) return types_.undefined(call.getType());
    if (!operands[i].has_unknown()) continue;
    need_known(call, call.getArgOperand(i), "the argument of " + call.getCalledFunction()->getName().str());
    return {};
  }
  stop(call, Stop::not_modelled, "the function " + call.getCalledFunction()->getName().str());
  return {};
}

// The reads that the value is computed from are followed value by value in the next round. Through private memory they
// are not found.
void Walker::need_known(const Instruction& instruction, const llvm::Value* value, const std::string& what) {
  bool fresh = false;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> open{value};
  while (!open.empty()) {
    const auto* from = llvm::dyn_cast<Instruction>(open.back());
    open.pop_back();
    if (from == nullptr || !seen.insert(from).second) continue;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(from);
    const bool is_atomic = call != nullptr && call->getCalledFunction() != nullptr &&
                           call->getCalledFunction()->getName() == "weakspot_atomic";
    if (is_atomic || llvm::isa<llvm::LoadInst>(from)) {
      if (!knowledge_.split.contains(from)) fresh = result_.to_split.insert(from).second || fresh;
      continue;
    }
    for (const llvm::Use& use : from->operands()) open.push_back(use.get());
  }
  stop(instruction, fresh ? Stop::too_much : Stop::not_modelled, what + " that depends on what others write");
}

}  // namespace weakspot::race_jit
