// SPDX-License-Identifier: MIT
#include "litmus/assembly/assembly.h"

#include <algorithm>
#include <cstdint>

#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

// Registers, by number, that hold nothing but signed numbers of 32 bits and addresses.
using Ints = std::vector<bool>;

bool is_int(const Value& value) { return value.base || value.number == static_cast<std::int32_t>(value.number); }

bool is_int(const Operand& operand, const Ints& ints) {
  const auto* reg = std::get_if<RegisterId>(&operand);
  return reg != nullptr ? ints[reg->index] : is_int(std::get<Value>(operand));
}

// Whether the instruction writes only such values.
bool writes_int(const Instruction& instruction, RegisterId reg, const Ints& ints) {
  if (const auto* rmw = std::get_if<Rmw>(&instruction.operation); rmw != nullptr && rmw->success == reg) return true;
  if (const Access* access = access_of(instruction)) {
    const bool status = std::holds_alternative<Store>(instruction.operation);
    return status || size_in_bytes(access->type) < 4 || access->type == Type::s32;
  }
  if (const auto* select = std::get_if<Select>(&instruction.operation)) {
    return is_int(select->yes, ints) && is_int(select->no, ints);
  }
  const auto* compute = std::get_if<Compute>(&instruction.operation);
  if (compute == nullptr) return false;
  const auto* amount = compute->right ? std::get_if<Value>(&*compute->right) : nullptr;
  switch (compute->op) {
    case ComputeOp::mov:
    case ComputeOp::not_:
      return is_int(compute->left, ints);
    case ComputeOp::and_:
    case ComputeOp::or_:
    case ComputeOp::xor_:
      return is_int(compute->left, ints) && is_int(*compute->right, ints);
    case ComputeOp::shr:
      return is_int(compute->left, ints) || (amount != nullptr && amount->number >= 32);
    default:
      return is_comparison(compute->op);
  }
}

}  // namespace

Type type_of_size(int bytes) {
  switch (bytes) {
    case 1:
      return Type::u8;
    case 2:
      return Type::u16;
    case 4:
      return Type::s32;
    default:
      return Type::s64;
  }
}

bool fills_upper_half(const Compute& compute) {
  if (is_comparison(compute.op)) return false;
  if (compute.op == ComputeOp::xor_ && compute.left == *compute.right) return false;
  const auto* right = compute.right ? std::get_if<Value>(&*compute.right) : nullptr;
  return !(compute.op == ComputeOp::and_ && right != nullptr && !right->base && right->number >= 0 &&
           right->number <= INT32_MAX);
}

bool ends_as_int(const Thread& thread, RegisterId reg) {
  Ints ints;
  for (const Register& one : thread.registers) ints.push_back(size_in_bytes(one.type) < 8 || is_int(one.initial));
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : thread.instructions) {
      for_each_written(instruction, [&](RegisterId written) {
        const bool narrow = size_in_bytes(thread.registers[written.index].type) < 8;
        if (narrow || !ints[written.index] || writes_int(instruction, written, ints)) return;
        ints[written.index] = false;
        changed = true;
      });
    }
  }
  if (ints[reg.index]) return true;
  // The last write decides, unless control may come from elsewhere.
  const auto last = std::find_if(thread.instructions.rbegin(), thread.instructions.rend(), [&](const Instruction& one) {
    bool written = std::holds_alternative<Label>(one.operation);
    for_each_written(one, [&](RegisterId id) { written = written || id == reg; });
    return written;
  });
  return last != thread.instructions.rend() && !last->guard && writes_int(*last, reg, ints);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

}  // namespace weakspot::litmus
