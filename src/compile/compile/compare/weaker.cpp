// SPDX-License-Identifier: MIT
#include "compile/compare/weaker.h"

#include <fmt/format.h>

#include <optional>

#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "litmus/visit.h"

namespace weakspot::compile {
namespace {

using litmus::Arch;
using litmus::Fence;
using litmus::FenceKind;
using litmus::Instruction;
using litmus::LitmusTest;
using litmus::Order;

std::vector<Order> weaker_orders(Order order, Arch arch) {
  switch (order) {
    case Order::seq_cst:
      if (arch == Arch::opencl) return {Order::acq_rel, Order::acquire, Order::release, Order::relaxed};
      return {Order::acquire, Order::release, Order::relaxed};
    case Order::acq_rel:
      return {Order::acquire, Order::release, Order::relaxed};
    case Order::acquire:
      if (arch == Arch::aarch64) return {Order::acquire_pc, Order::relaxed};
      return {Order::relaxed};
    case Order::acquire_pc:
    case Order::release:
      return {Order::relaxed};
    default:
      return {};
  }
}

// Without a value: the instruction is not needed at all.
using Replacement = std::optional<Instruction>;

std::vector<Replacement> weaker_fences(const Instruction& instruction, const Fence& fence) {
  std::vector<Replacement> list;
  auto add = [&](const Fence& other) {
    Instruction changed = instruction;
    changed.operation = other;
    list.emplace_back(changed);
  };
  Fence other = fence;
  if ((fence.kind == FenceKind::dmb || fence.kind == FenceKind::dsb) && fence.accesses == litmus::FenceAccesses::all) {
    other.accesses = litmus::FenceAccesses::loads;
    add(other);
    other.accesses = litmus::FenceAccesses::stores;
    add(other);
  }
  if (fence.kind == FenceKind::order && fence.order == Order::seq_cst) {
    other.order = Order::acq_rel;
    add(other);
  }
  list.emplace_back(std::nullopt);
  return list;
}

// Whether something after the instruction reads the register, or the test observes it.
bool is_needed_after(const LitmusTest& test, std::uint32_t thread, std::size_t index, litmus::RegisterId reg) {
  for (const litmus::Observable& observable : test.observed()) {
    const auto* observed = std::get_if<litmus::ObservedRegister>(&observable);
    if (observed != nullptr && observed->thread.index == thread && observed->reg == reg) return true;
  }
  const std::vector<Instruction>& code = test.threads[thread].instructions;
  for (std::size_t i = index + 1; i < code.size(); ++i) {
    bool named = false;
    bool written = false;
    litmus::for_each_register(code[i], [&](const litmus::RegisterId& other) { named = named || other == reg; });
    litmus::for_each_written(code[i], [&](const litmus::RegisterId& other) { written = written || other == reg; });
    // A load into it: the old value is gone.
    const auto* load = std::get_if<litmus::Load>(&code[i].operation);
    if (load != nullptr && written && load->access.address.index != reg && !code[i].guard) return false;
    if (named) return true;
  }
  return false;
}

// A locked exchange whose old value nobody needs is a store with a fence.
std::vector<Replacement> weaker_exchange(const LitmusTest& test, std::uint32_t thread, std::size_t index) {
  const Instruction& instruction = test.threads[thread].instructions[index];
  const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation);
  if (rmw == nullptr || rmw->op != litmus::RmwOp::exch) return {};
  if (rmw->target && is_needed_after(test, thread, index, *rmw->target)) return {};
  litmus::Store store{rmw->access, rmw->operand, std::nullopt};
  store.access.order = Order::relaxed;
  Instruction changed = instruction;
  changed.operation = store;
  return {changed};
}

// Whether an access of this kind can have the order.
bool can_have(const Instruction& instruction, Order order) {
  if (std::holds_alternative<litmus::Load>(instruction.operation)) return !litmus::is_release(order);
  return !std::holds_alternative<litmus::Store>(instruction.operation) || !litmus::is_acquire(order);
}

// Gives the access the order, and of its semantics what fits that.
void weaken(litmus::Access& access, Order order) {
  access.order = order;
  if (!litmus::is_release(order)) access.tags.erase(litmus::Tag::available);
  if (!litmus::is_acquire(order)) access.tags.erase(litmus::Tag::visible);
  if (order == Order::relaxed) access.semantics = {};
}

std::vector<Replacement> replacements(const LitmusTest& test, std::uint32_t thread, std::size_t index) {
  const Instruction& instruction = test.threads[thread].instructions[index];
  if (const auto* fence = std::get_if<Fence>(&instruction.operation)) return weaker_fences(instruction, *fence);
  const litmus::Access* access = litmus::access_of(instruction);
  if (access == nullptr) return {};
  if (test.arch == Arch::x86_64) return weaker_exchange(test, thread, index);
  // Only a load by itself can be LDAPR.
  const bool single =
      std::holds_alternative<litmus::Load>(instruction.operation) && !access->tags.has(litmus::Tag::exclusive);
  std::vector<Replacement> list;
  for (const Order order : weaker_orders(access->order, test.arch)) {
    if ((order == Order::acquire_pc && !single) || !can_have(instruction, order)) continue;
    Instruction changed = instruction;
    weaken(*litmus::access_of(changed), order);
    list.emplace_back(changed);
  }
  return list;
}

// The line of an instruction, as its dialect writes it.
std::string line_of(const LitmusTest& test, std::uint32_t thread, std::size_t index) {
  return litmus::instruction_texts(test)[thread][index];
}

}  // namespace

std::vector<Weaker> weaker_tests(const LitmusTest& test) {
  std::vector<Weaker> list;
  for (std::uint32_t thread = 0; thread < test.threads.size(); ++thread) {
    for (std::size_t index = 0; index < test.threads[thread].instructions.size(); ++index) {
      for (const Replacement& replacement : replacements(test, thread, index)) {
        Weaker weaker{test, thread, index, !replacement};
        std::vector<Instruction>& code = weaker.test.threads[thread].instructions;
        if (replacement) {
          code[index] = *replacement;
        } else {
          code.erase(code.begin() + static_cast<std::ptrdiff_t>(index));
        }
        list.push_back(std::move(weaker));
      }
    }
  }
  return list;
}

std::string weaker_text(const LitmusTest& test, const Weaker& weaker) {
  const std::string old = line_of(test, weaker.thread, weaker.index);
  if (weaker.removed) return fmt::format("P{} `{}` is not needed", weaker.thread, old);
  return fmt::format("P{} `{}` could be `{}`", weaker.thread, old, line_of(weaker.test, weaker.thread, weaker.index));
}

}  // namespace weakspot::compile
