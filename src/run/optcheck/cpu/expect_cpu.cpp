// SPDX-License-Identifier: MIT
#include "optcheck/cpu/expect_cpu.h"

#include <set>

#include "litmus/visit.h"
#include "optcheck/compare/expect.h"

namespace weakspot::optcheck {
namespace {

using namespace litmus;
using codegen::CpuIsa;

ExpectedEvent fence_event(std::string name) {
  ExpectedEvent expected;
  expected.event.kind = EventKind::fence;
  expected.event.fence = std::move(name);
  return expected;
}

std::string arm_domain(const Fence& fence) {
  static constexpr std::string_view kDomains[4][3] = {
      {"sy", "ld", "st"}, {"ish", "ishld", "ishst"}, {"osh", "oshld", "oshst"}, {"nsh", "nshld", "nshst"}};
  return std::string(kDomains[static_cast<std::size_t>(fence.shareability)][static_cast<std::size_t>(fence.accesses)]);
}

class CpuExpectation {
 public:
  CpuExpectation(const LitmusTest& test, CpuIsa isa, const CpuPlaces& places)
      : isa_(isa), places_(places), native_(test.arch == Arch::aarch64) {}

  std::vector<ExpectedEvent> operator()(const Instruction& instruction) const {
    if (const auto* fence = std::get_if<Fence>(&instruction.operation)) return of(*fence);
    const Access* access = access_of(instruction);
    if (access == nullptr) return {};
    ExpectedEvent expected;
    expected.event.bytes = size_in_bytes(access->type);
    expected.event.exclusive = access->tags.has(Tag::exclusive);
    expected.event.where = where(access->address);
    if (std::holds_alternative<Load>(instruction.operation)) {
      expected.event.kind = EventKind::load;
      expected.orders = load_orders(access->order, expected.event.exclusive);
    } else if (std::holds_alternative<Store>(instruction.operation)) {
      expected.event.kind = EventKind::store;
      expected.orders = {is_release(access->order) ? Order::release : Order::relaxed};
      if (isa_ == CpuIsa::x86_64) sequential_store(access->order, expected);
    } else {
      const Rmw& rmw = std::get<Rmw>(instruction.operation);
      const Order order = rmw_order(rmw);
      const bool acquire = is_acquire(order) || order == Order::consume;
      expected.event.kind = EventKind::rmw;
      expected.event.op = machine_op(rmw.op);
      expected.orders = {acquire             ? is_release(order) ? Order::acq_rel : Order::acquire
                         : is_release(order) ? Order::release
                                             : Order::relaxed};
      if (isa_ == CpuIsa::x86_64) expected.orders = {Order::seq_cst};
    }
    return {expected};
  }

 private:
  // XCHG is a store that nothing passes.
  static void sequential_store(Order order, ExpectedEvent& expected) {
    expected.orders = {Order::relaxed};
    if (order != Order::seq_cst) return;
    expected.event.kind = EventKind::rmw;
    expected.event.op = RmwOp::exch;
    expected.orders = {Order::seq_cst};
  }

  std::vector<Order> load_orders(Order order, bool exclusive) const {
    if (isa_ == CpuIsa::x86_64) return {Order::relaxed};
    switch (order) {
      case Order::acquire_pc:
        return {exclusive ? Order::acquire : Order::acquire_pc};
      case Order::consume:
      case Order::acquire:
        if (native_) return {Order::acquire};
        return {Order::acquire_pc, Order::acquire};
      case Order::acq_rel:
      case Order::seq_cst:
        return {Order::acquire};
      default:
        return {Order::relaxed};
    }
  }

  // Subtractions add the negated operand.
  static RmwOp machine_op(RmwOp op) { return op == RmwOp::sub ? RmwOp::add : op; }

  std::vector<ExpectedEvent> of(const Fence& fence) const {
    const bool arm = isa_ == CpuIsa::aarch64;
    switch (fence.kind) {
      case FenceKind::dmb:
        return {fence_event("dmb " + arm_domain(fence))};
      case FenceKind::dsb:
        return {fence_event("dsb " + arm_domain(fence))};
      case FenceKind::isb:
        return {fence_event("isb")};
      case FenceKind::mfence:
        return {fence_event("mfence")};
      case FenceKind::sfence:
        return {fence_event("sfence")};
      case FenceKind::lfence:
        return {fence_event("lfence")};
      case FenceKind::membar:
        return {fence_event(arm ? "dmb ish" : "mfence")};
      default:
        break;
    }
    if (!arm) {
      if (fence.order != Order::seq_cst) return {};
      return {fence_event("mfence")};
    }
    if (fence.order == Order::plain || fence.order == Order::relaxed) return {};
    const bool loads = fence.order == Order::acquire || fence.order == Order::consume;
    return {fence_event(loads ? "dmb ishld" : "dmb ish")};
  }

  std::optional<Where> where(const Address& address) const {
    if (!address.location) return std::nullopt;
    if (!places_.columns.empty()) return Where{address.location->index, address.offset};
    const codegen::CpuLocation& location = (*places_.locations)[address.location->index];
    return places_.find(static_cast<std::int64_t>(location.stride),
                        static_cast<std::int64_t>(location.offset) + address.offset);
  }

  CpuIsa isa_;
  const CpuPlaces& places_;
  bool native_;
};

}  // namespace

ExpectedThread expect_cpu(const LitmusTest& test, std::size_t thread, CpuIsa isa, const CpuPlaces& places) {
  return expect_thread(test.threads[thread], CpuExpectation(test, isa, places));
}

std::vector<std::uint32_t> named_locations(const Thread& thread) {
  std::set<std::uint32_t> named;
  for (const Instruction& instruction : thread.instructions) {
    if (const Access* access = access_of(instruction); access != nullptr && access->address.location) {
      named.insert(access->address.location->index);
    }
    for_each_operand(instruction, [&](const Operand& operand) {
      if (const auto* value = std::get_if<Value>(&operand); value != nullptr && value->base) {
        named.insert(value->base->index);
      }
    });
  }
  for (const litmus::Register& reg : thread.registers) {
    if (reg.initial.base) named.insert(reg.initial.base->index);
  }
  return {named.begin(), named.end()};
}

}  // namespace weakspot::optcheck
