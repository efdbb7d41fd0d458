// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_atomics.h"

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

int ptx_scope(const PtxInstruction& instruction) {
  if (instruction.has("cta")) return kBlockScope;
  if (instruction.has("cluster")) return kClusterScope;
  return instruction.has("sys") ? kSystemScope : kDeviceScope;
}

int ptx_order(const PtxInstruction& instruction) {
  if (instruction.has("acq_rel")) return kAcqRelOrder;
  return instruction.has("acquire") ? kAcquireOrder : instruction.has("release") ? kReleaseOrder : kRelaxedOrder;
}

int ptx_fence(const PtxInstruction& instruction) {
  if (instruction.opcode.front() == "membar" || instruction.has("sc")) return kScFence;
  const int order = ptx_order(instruction);
  return order == kRelaxedOrder ? kAcqRelFence : order;
}

bool is_ptx_typed(const PtxInstruction& instruction, char letter) {
  for (std::size_t i = 1; i < instruction.opcode.size(); ++i) {
    const std::string& word = instruction.opcode[i];
    if (word.size() >= 2 && word[0] == letter && word.find_first_not_of("0123456789", 1) == std::string::npos)
      return true;
  }
  return false;
}

int ptx_atomic_operation(const PtxInstruction& instruction) {
  const bool is_signed = is_ptx_typed(instruction, 's');
  const unsigned size = ptx_type_size(instruction);
  if (instruction.has("add")) {
    if (instruction.has("f16")) return kAddHalf;
    if (instruction.has("f16x2")) return kAddHalf2;
    if (instruction.has("bf16")) return kAddBfloat;
    if (instruction.has("bf16x2")) return kAddBfloat2;
    if (is_ptx_typed(instruction, 'f')) return size == 4 ? kAddFloat : size == 8 ? kAddDouble : -1;
    return kAdd;
  }
  if (is_ptx_typed(instruction, 'f')) return -1;
  if (instruction.has("exch")) return kExchange;
  if (instruction.has("cas")) return kCompareExchange;
  if (instruction.has("min")) return is_signed ? kMinSigned : kMinUnsigned;
  if (instruction.has("max")) return is_signed ? kMaxSigned : kMaxUnsigned;
  if (instruction.has("and")) return kAnd;
  if (instruction.has("or")) return kOr;
  if (instruction.has("xor")) return kXor;
  if (instruction.has("inc")) return kIncrement;
  return instruction.has("dec") ? kDecrement : -1;
}

bool is_ptx_strong(const PtxInstruction& instruction) {
  return instruction.has("relaxed") || instruction.has("acquire") || instruction.has("release");
}

bool is_ptx_vector(const PtxInstruction& instruction) { return instruction.has("v2") || instruction.has("v4"); }

bool is_ptx_access(const PtxInstruction& instruction) {
  return !instruction.has("param") && ptx_type_size(instruction) > 0 && ptx_type_size(instruction) <= 8 &&
         instruction.operands.size() == 2 && !(is_ptx_vector(instruction) && is_ptx_strong(instruction));
}

}  // namespace weakspot::race_jit
