// SPDX-License-Identifier: MIT
#include "gen/identity/value_classes.h"

#include <algorithm>
#include <numeric>

#include "litmus/visit.h"

namespace weakspot::gen {
namespace {

using litmus::ComputeOp;
using litmus::LitmusTest;
using litmus::LocationId;
using litmus::Operand;
using litmus::RegisterId;
using litmus::ThreadId;
using litmus::Value;

constexpr std::int64_t kSmall = 128;

bool is_constant(const Operand& operand) {
  const auto* value = std::get_if<Value>(&operand);
  return value != nullptr && !value->base;
}

bool is_number(const Operand& operand, std::int64_t number) {
  return is_constant(operand) && std::get<Value>(operand).number == number;
}

}  // namespace

ValueClasses::ValueClasses(const LitmusTest& test) {
  std::size_t nodes = test.locations.size();
  for (const litmus::Thread& thread : test.threads) {
    first_register_.push_back(nodes);
    nodes += thread.registers.size();
  }
  leader_.resize(nodes);
  std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  rigid_.resize(nodes);
  zero_.resize(nodes);
  fixed_.assign(nodes, {0});

  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    find_zeros(test, t);
    for (const litmus::Instruction& instruction : test.threads[t].instructions) {
      look_at(test, ThreadId{t}, instruction);
    }
  }
  look_at(test, test.condition.proposition);
  if (test.filter) look_at(test, *test.filter);
  for (std::size_t i = 0; i < test.locations.size(); ++i) {
    const litmus::Location& location = test.locations[i];
    if (location.alias_of) join(i, location.alias_of->index);
    if (location.initial.base) stiffen(i);
  }
  for (std::size_t i = 0; i < test.locations.size(); ++i) fixed_[leader_[i]].insert(test.locations[i].initial.number);
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    for (std::uint32_t r = 0; r < test.threads[t].registers.size(); ++r) {
      const litmus::Register& reg = test.threads[t].registers[r];
      if (reg.initial.base) stiffen(node(ThreadId{t}, RegisterId{r}));
      fixed_[leader_[node(ThreadId{t}, RegisterId{r})]].insert(reg.initial.number);
    }
  }
}

std::size_t ValueClasses::node(const litmus::Observable& observable) const {
  if (const auto* location = std::get_if<LocationId>(&observable)) return location->index;
  const auto& reg = std::get<litmus::ObservedRegister>(observable);
  return node(reg.thread, reg.reg);
}

std::size_t ValueClasses::of(const litmus::Observable& observable) const { return leader_[node(observable)]; }

void ValueClasses::join(std::size_t a, std::size_t b) {
  const std::size_t from = leader_[b], to = leader_[a];
  if (from == to) return;
  rigid_[to] = rigid_[to] || rigid_[from];
  fixed_[to].insert(fixed_[from].begin(), fixed_[from].end());
  std::replace(leader_.begin(), leader_.end(), from, to);
}

void ValueClasses::join(std::size_t node_of_it, ThreadId thread, const Operand& operand) {
  if (const auto* reg = std::get_if<RegisterId>(&operand)) return join(node_of_it, node(thread, *reg));
  const Value& value = std::get<Value>(operand);
  if (value.base || value.number < 0 || value.number >= kSmall) stiffen(node_of_it);
}

void ValueClasses::stiffen(ThreadId thread, const Operand& operand) {
  if (const auto* reg = std::get_if<RegisterId>(&operand)) stiffen(node(thread, *reg));
}

// Registers written once, by `and t, r, 128` or `xor t, r, r`. Values stay below 128, see join().
void ValueClasses::find_zeros(const LitmusTest& test, std::uint32_t thread) {
  std::vector<int> writes(test.threads[thread].registers.size());
  std::vector<bool> zero(writes.size());
  for (const litmus::Instruction& instruction : test.threads[thread].instructions) {
    litmus::for_each_written(instruction, [&](const RegisterId& reg) { ++writes[reg.index]; });
    const auto* compute = std::get_if<litmus::Compute>(&instruction.operation);
    if (compute == nullptr || !compute->right || instruction.guard) continue;
    const bool masks = compute->op == ComputeOp::and_ && is_number(*compute->right, kSmall);
    const bool cancels =
        (compute->op == ComputeOp::xor_ || compute->op == ComputeOp::sub) && compute->left == *compute->right;
    if (masks || cancels) zero[compute->target.index] = true;
  }
  for (std::size_t r = 0; r < writes.size(); ++r) zero_[first_register_[thread] + r] = zero[r] && writes[r] == 1;
}

void ValueClasses::look_at(const LitmusTest& test, ThreadId thread, const litmus::Instruction& instruction) {
  const litmus::Access* access = litmus::access_of(instruction);
  if (access != nullptr && (!access->address.location || access->address.offset != 0 ||
                            access->type != test[*access->address.location].type)) {
    // A pointer or a part of a location: anything may meet anything.
    for (std::size_t i = 0; i < leader_.size(); ++i) stiffen(i);
    return;
  }
  if (access != nullptr && access->address.index && !is_zero(thread, *access->address.index)) {
    for (std::size_t i = 0; i < leader_.size(); ++i) stiffen(i);
  }
  const std::size_t place = access != nullptr ? access->address.location->index : 0;
  if (litmus::is_asynchronous(instruction)) {
    // Copies move values between locations, and mbarriers count.
    for (std::size_t i = 0; i < leader_.size(); ++i) stiffen(i);
    return;
  }
  if (instruction.guard) stiffen(node(thread, instruction.guard->predicate));
  if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) {
    join(place, node(thread, load->target));
  } else if (const auto* store = std::get_if<litmus::Store>(&instruction.operation)) {
    join(place, thread, store->value);
    if (store->status) stiffen(node(thread, *store->status));
  } else if (const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation)) {
    if (rmw->target) join(place, node(thread, *rmw->target));
    const bool moves = rmw->op == litmus::RmwOp::exch || rmw->op == litmus::RmwOp::cas;
    if (moves) join(place, thread, rmw->operand);
    if (rmw->expected) join(place, thread, *rmw->expected);
    const bool keeps = rmw->op == litmus::RmwOp::add && is_number(rmw->operand, 0);
    if (!moves && !keeps) {
      stiffen(place);
      stiffen(thread, rmw->operand);
    }
    if (rmw->success) stiffen(node(thread, *rmw->success));
  } else if (const auto* compute = std::get_if<litmus::Compute>(&instruction.operation)) {
    const std::size_t target = node(thread, compute->target);
    const auto* left = std::get_if<RegisterId>(&compute->left);
    if (zero_[target]) return;
    if (compute->op == ComputeOp::mov) {
      join(target, thread, compute->left);
    } else if (compute->op == ComputeOp::add && left != nullptr && is_zero(thread, *left)) {
      join(target, thread, *compute->right);
    } else {
      stiffen(target);
      stiffen(thread, compute->left);
      if (compute->right) stiffen(thread, *compute->right);
    }
  } else if (const auto* select = std::get_if<litmus::Select>(&instruction.operation)) {
    look_at(thread, select->condition);
    join(node(thread, select->target), thread, select->yes);
    join(node(thread, select->target), thread, select->no);
  } else if (const auto* branch = std::get_if<litmus::Branch>(&instruction.operation)) {
    if (branch->condition) look_at(thread, *branch->condition);
  } else if (const auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation)) {
    stiffen(thread, barrier->id);
    if (barrier->name) stiffen(thread, *barrier->name);
    if (barrier->quorum) stiffen(thread, *barrier->quorum);
  }
}

void ValueClasses::look_at(ThreadId thread, const litmus::Comparison& condition) {
  const bool equality = condition.op == litmus::CompareOp::eq || condition.op == litmus::CompareOp::ne;
  const auto* left = std::get_if<RegisterId>(&condition.left);
  if (equality && left != nullptr) {
    join(node(thread, *left), thread, condition.right);
  } else {
    stiffen(thread, condition.left);
    stiffen(thread, condition.right);
  }
}

void ValueClasses::look_at(const LitmusTest& test, const litmus::Proposition& proposition) {
  for (const litmus::Proposition& child : proposition.children) look_at(test, child);
  if (proposition.kind != litmus::Proposition::Kind::comparison) return;
  const auto* left = std::get_if<litmus::Observable>(&proposition.left);
  const auto* right = std::get_if<litmus::Observable>(&proposition.right);
  const bool equality = proposition.op == litmus::CompareOp::eq || proposition.op == litmus::CompareOp::ne;
  if (left != nullptr && right != nullptr && equality) return join(node(*left), node(*right));
  for (const litmus::Term* term : {&proposition.left, &proposition.right}) {
    const litmus::Term& other = term == &proposition.left ? proposition.right : proposition.left;
    const auto* observable = std::get_if<litmus::Observable>(term);
    const auto* value = std::get_if<Value>(&other);
    if (observable == nullptr) continue;
    if (!equality || value == nullptr || value->base || value->number < 0 || value->number >= kSmall) {
      stiffen(node(*observable));
    }
  }
}

}  // namespace weakspot::gen
