// SPDX-License-Identifier: MIT
// Sequential consistency as it was first defined: threads take turns on one memory. For tests only; a third opinion on
// what the models and the brute-force oracle say of SC outcomes. Knows the same instructions as brute_force.h.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::tests {

class Interleavings {
 public:
  explicit Interleavings(const litmus::LitmusTest& test) : test_(test) {}

  litmus::OutcomeSet run() {
    State state;
    for (const litmus::Location& location : test_.locations) state.memory.push_back(location.initial.number);
    for (const litmus::Thread& thread : test_.threads) {
      ThreadState& next = state.threads.emplace_back();
      for (const litmus::Register& reg : thread.registers) next.registers.push_back(reg.initial.number);
    }
    explore(state);
    return outcomes_;
  }

 private:
  struct ThreadState {
    std::size_t next = 0;
    std::vector<std::int64_t> registers;
    const litmus::Access* reserved = nullptr;
    bool untouched = false;  // by others, since
    auto operator<=>(const ThreadState&) const = default;
  };
  struct State {
    std::vector<std::int64_t> memory;
    std::vector<ThreadState> threads;
    auto operator<=>(const State&) const = default;
  };

  void explore(const State& state) {
    if (!seen_.insert(state).second) return;
    bool done = true;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      if (state.threads[t].next == test_.threads[t].instructions.size()) continue;
      done = false;
      step(state, t);
    }
    if (!done) return;
    litmus::Outcome outcome;
    for (const litmus::Observable& item : test_.observed()) {
      const auto* reg = std::get_if<litmus::ObservedRegister>(&item);
      outcome.push_back(litmus::integer(reg != nullptr ? state.threads[reg->thread.index].registers[reg->reg.index]
                                                       : state.memory[std::get<litmus::LocationId>(item).index]));
    }
    outcomes_.insert(outcome);
  }

  void set(std::size_t t, ThreadState& thread, litmus::RegisterId reg, std::int64_t value) const {
    thread.registers[reg.index] = litmus::wrap(value, test_.threads[t].registers[reg.index].type);
  }

  static std::int64_t get(const ThreadState& thread, const litmus::Operand& operand) {
    const auto* reg = std::get_if<litmus::RegisterId>(&operand);
    return reg != nullptr ? thread.registers[reg->index] : std::get<litmus::Value>(operand).number;
  }

  static std::uint64_t mask(const litmus::Access& access) {
    const int size = litmus::size_in_bytes(access.type);
    return (size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1) << (8 * access.address.offset);
  }

  static std::int64_t read(const State& state, const litmus::Access& access) {
    const auto all = static_cast<std::uint64_t>(state.memory[access.address.location->index]);
    return litmus::wrap(static_cast<std::int64_t>((all & mask(access)) >> (8 * access.address.offset)), access.type);
  }

  void write(State& state, std::size_t t, const litmus::Access& access, std::int64_t value) const {
    const litmus::LocationId location = *access.address.location;
    const auto before = static_cast<std::uint64_t>(state.memory[location.index]);
    const std::uint64_t bits = (static_cast<std::uint64_t>(value) << (8 * access.address.offset)) & mask(access);
    state.memory[location.index] =
        litmus::wrap(static_cast<std::int64_t>((before & ~mask(access)) | bits), test_[location].type);
    for (std::size_t other = 0; other < state.threads.size(); ++other) {
      const litmus::Access* reserved = state.threads[other].reserved;
      if (other == t || reserved == nullptr || reserved->address.location != location) continue;
      if ((mask(*reserved) & mask(access)) != 0) state.threads[other].untouched = false;
    }
  }

  static bool same_bytes(const litmus::Access& a, const litmus::Access& b) {
    return a.address.location == b.address.location && mask(a) == mask(b);
  }

  void step(State state, std::size_t t) {
    ThreadState& thread = state.threads[t];
    const litmus::Instruction& instruction = test_.threads[t].instructions[thread.next++];
    if (instruction.guard) {
      const bool set = thread.registers[instruction.guard->predicate.index] != 0;
      if (set == instruction.guard->negated) return explore(state);
    }
    if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) {
      set(t, thread, load->target, read(state, load->access));
      if (load->access.tags.has(litmus::Tag::exclusive)) {
        thread.reserved = &load->access;
        thread.untouched = true;
      }
    } else if (const auto* store = std::get_if<litmus::Store>(&instruction.operation)) {
      const std::int64_t value = get(thread, store->value);
      if (store->status) {
        const bool may_succeed = thread.untouched && same_bytes(*thread.reserved, store->access);
        thread.reserved = nullptr;
        thread.untouched = false;
        thread.registers[store->status->index] = 1;
        explore(state);
        if (!may_succeed) return;
        thread.registers[store->status->index] = 0;
      }
      write(state, t, store->access, value);
    } else if (const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation)) {
      return step(state, t, *rmw);
    } else if (const auto* compute = std::get_if<litmus::Compute>(&instruction.operation)) {
      const std::int64_t a = get(thread, compute->left);
      const std::int64_t b = compute->right ? get(thread, *compute->right) : 0;
      std::int64_t result = a;
      if (compute->op == litmus::ComputeOp::add) result = a + b;
      if (compute->op == litmus::ComputeOp::xor_) result = a ^ b;
      if (compute->op == litmus::ComputeOp::eq) result = a == b;
      set(t, thread, compute->target, result);
    } else if (const auto* select = std::get_if<litmus::Select>(&instruction.operation)) {
      const std::int64_t a = get(thread, select->condition.left);
      const std::int64_t b = get(thread, select->condition.right);
      bool holds = a == b;
      if (select->condition.op == litmus::CompareOp::ne) holds = a != b;
      if (select->condition.op == litmus::CompareOp::lt) holds = a < b;
      set(t, thread, select->target, get(thread, holds ? select->yes : select->no));
    } else if (const auto* branch = std::get_if<litmus::Branch>(&instruction.operation)) {
      jump(t, thread, *branch);
    }
    explore(state);
  }

  void step(State state, std::size_t t, const litmus::Rmw& rmw) {
    ThreadState& thread = state.threads[t];
    const litmus::Type type = rmw.access.type;
    const std::int64_t old = read(state, rmw.access);
    const std::int64_t operand = litmus::wrap(get(thread, rmw.operand), type);
    const bool equal = rmw.expected && old == litmus::wrap(get(thread, *rmw.expected), type);
    if (rmw.target) set(t, thread, *rmw.target, old);
    if (rmw.expected && (!equal || rmw.may_fail)) {
      State failed = state;
      if (rmw.success) failed.threads[t].registers[rmw.success->index] = 0;
      explore(failed);
      if (!equal) return;
    }
    if (rmw.success) thread.registers[rmw.success->index] = 1;
    std::int64_t value = operand;
    if (rmw.op == litmus::RmwOp::add) value = old + operand;
    if (rmw.op == litmus::RmwOp::inc) value = old >= operand ? 0 : old + 1;
    if (rmw.op == litmus::RmwOp::max) value = std::max(old, operand);
    write(state, t, rmw.access, value);
    explore(state);
  }

  void jump(std::size_t t, ThreadState& thread, const litmus::Branch& branch) const {
    if (branch.condition) {
      const bool equal = get(thread, branch.condition->left) == get(thread, branch.condition->right);
      if (equal != (branch.condition->op == litmus::CompareOp::eq)) return;
    }
    const std::vector<litmus::Instruction>& code = test_.threads[t].instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const auto* label = std::get_if<litmus::Label>(&code[i].operation);
      if (label != nullptr && label->name == branch.label) thread.next = i;
    }
  }

  const litmus::LitmusTest& test_;
  std::set<State> seen_;
  litmus::OutcomeSet outcomes_;
};

}  // namespace weakspot::tests
