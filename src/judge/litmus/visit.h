// SPDX-License-Identifier: MIT
// Visits the parts of an instruction: registers, operands, addresses, locations. Works on const and mutable
// instructions.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "litmus/instruction.h"

namespace weakspot::litmus {

// Calls `visit(RegisterId&)` for every register the instruction names, in a fixed order that depends on the
// instruction alone: guard, sources, address, targets.
template <typename InstructionRef, typename Visit>
void for_each_register(InstructionRef& instruction, Visit&& visit);

// Calls `visit(RegisterId&)` for the registers the instruction writes.
template <typename InstructionRef, typename Visit>
void for_each_written(InstructionRef& instruction, Visit&& visit);

// Calls `visit(Operand&)` for every value operand (not addresses).
template <typename InstructionRef, typename Visit>
void for_each_operand(InstructionRef& instruction, Visit&& visit);

// Calls `visit(Address&)` for every address.
template <typename InstructionRef, typename Visit>
void for_each_address(InstructionRef& instruction, Visit&& visit);

// Calls `visit(LocationId&)` for every location that the instruction names outside its operands: in addresses, and
// mbarriers.
template <typename InstructionRef, typename Visit>
void for_each_location(InstructionRef& instruction, Visit&& visit);

// Operations that always write a register; stores and read-modify-writes may write some.
template <typename Op>
inline constexpr bool kHasTarget =
    std::is_same_v<Op, Load> || std::is_same_v<Op, Compute> || std::is_same_v<Op, Select>;

template <typename InstructionRef, typename Visit>
void for_each_operand(InstructionRef& instruction, Visit&& visit) {
  std::visit(
      [&](auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Store> || std::is_same_v<Op, AsyncCopy>) {
          visit(op.value);
        } else if constexpr (std::is_same_v<Op, Rmw>) {
          if (op.expected) visit(*op.expected);
          visit(op.operand);
        } else if constexpr (std::is_same_v<Op, Barrier>) {
          visit(op.id);
          if (op.name) visit(*op.name);
          if (op.quorum) visit(*op.quorum);
        } else if constexpr (std::is_same_v<Op, Compute>) {
          visit(op.left);
          if (op.right) visit(*op.right);
        } else if constexpr (std::is_same_v<Op, Select>) {
          visit(op.condition.left);
          visit(op.condition.right);
          visit(op.yes);
          visit(op.no);
        } else if constexpr (std::is_same_v<Op, Branch>) {
          if (op.condition) {
            visit(op.condition->left);
            visit(op.condition->right);
          }
        } else if constexpr (std::is_same_v<Op, Mbarrier>) {
          visit(op.phase);
        }
      },
      instruction.operation);
}

template <typename InstructionRef, typename Visit>
void for_each_address(InstructionRef& instruction, Visit&& visit) {
  if (auto* access = access_of(instruction)) return visit(access->address);
  if (auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
    for (auto& target : copy->targets) visit(target.to);
    if (copy->engine != AsyncEngine::remote) visit(copy->from);
  }
}

template <typename InstructionRef, typename Visit>
void for_each_location(InstructionRef& instruction, Visit&& visit) {
  for_each_address(instruction, [&](auto& address) {
    if (address.location) visit(*address.location);
  });
  if (auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
    for (auto& target : copy->targets) {
      if (target.mbarrier) visit(*target.mbarrier);
    }
  }
  if (auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) visit(mbarrier->barrier);
  if (auto* fence = std::get_if<Fence>(&instruction.operation); fence != nullptr && fence->map) visit(*fence->map);
}

template <typename InstructionRef, typename Visit>
void for_each_written(InstructionRef& instruction, Visit&& visit) {
  std::visit(
      [&](auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (kHasTarget<Op>) visit(op.target);
        if constexpr (std::is_same_v<Op, Store>) {
          if (op.status) visit(*op.status);
        }
        if constexpr (std::is_same_v<Op, Rmw>) {
          if (op.target) visit(*op.target);
          if (op.success) visit(*op.success);
        }
        if constexpr (std::is_same_v<Op, Mbarrier>) {
          if (op.target) visit(*op.target);
        }
      },
      instruction.operation);
}

template <typename InstructionRef, typename Visit>
void for_each_register(InstructionRef& instruction, Visit&& visit) {
  if (instruction.guard) visit(instruction.guard->predicate);
  for_each_operand(instruction, [&](auto& operand) {
    if (auto* reg = std::get_if<RegisterId>(&operand)) visit(*reg);
  });
  for_each_address(instruction, [&](auto& address) {
    if (address.index) visit(*address.index);
  });
  for_each_written(instruction, visit);
}

}  // namespace weakspot::litmus
