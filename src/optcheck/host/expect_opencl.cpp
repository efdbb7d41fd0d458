// SPDX-License-Identifier: MIT
// The mapping to OpenCL C that docs/targets.md promises, said a second time and apart from the code generator.
#include <fmt/format.h>

#include "optcheck/expect.h"
#include "optcheck/host/opencl_role.h"

namespace weakspot::optcheck {
namespace {

using namespace litmus;

std::string_view opencl_order(Order order) {
  switch (order) {
    case Order::acquire:
    case Order::acquire_pc:
    case Order::consume:
      return "memory_order_acquire";
    case Order::release:
      return "memory_order_release";
    case Order::acq_rel:
      return "memory_order_acq_rel";
    case Order::seq_cst:
      return "memory_order_seq_cst";
    default:
      return "memory_order_relaxed";
  }
}

// The scope of a subgroup is a workgroup's where there are no subgroups.
std::string_view opencl_scope(Scope scope) {
  if (scope == Scope::system) return "memory_scope_all_svm_devices";
  if (scope == Scope::device || scope == Scope::queue_family) return "memory_scope_device";
  return "memory_scope_work_group";
}

class OpenclExpectation {
 public:
  std::vector<ExpectedEvent> operator()(const Instruction& instruction) const {
    ExpectedEvent expected;
    expected.orders = {Order::relaxed};
    if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
      const Order order = fence->kind == FenceKind::membar ? Order::seq_cst : fence->order;
      if (fence->kind == FenceKind::order && order == Order::relaxed) return {};
      expected.event.kind = EventKind::fence;
      expected.event.fence = fmt::format("{} {}", opencl_order(order), opencl_scope(fence->scope));
      return {expected};
    }
    if (std::holds_alternative<Barrier>(instruction.operation)) {
      expected.event.kind = EventKind::barrier;
      expected.event.fence = "barrier";
      return {expected};
    }
    const Access* access = access_of(instruction);
    if (access == nullptr) return {};
    expected.event.bytes = size_in_bytes(access->type);
    if (access->address.location) {
      expected.event.where = Where{access->address.location->index, access->address.offset};
    }
    Order order = access->order;
    if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      order = rmw_order(*rmw) == Order::plain ? Order::relaxed : rmw_order(*rmw);
      expected.event.kind = EventKind::rmw;
      expected.event.op = rmw->op;
    } else {
      expected.event.kind = std::holds_alternative<Load>(instruction.operation) ? EventKind::load : EventKind::store;
    }
    expected.event.qualifiers = order == Order::plain
                                    ? access->tags.has(Tag::volatile_) ? "plain volatile" : "plain"
                                    : fmt::format("{} {}", opencl_order(order), opencl_scope(access->scope));
    return {expected};
  }
};

}  // namespace

ExpectedThread expect_opencl(const LitmusTest& test, std::size_t thread) {
  return expect_thread(test.threads[thread], OpenclExpectation());
}

}  // namespace weakspot::optcheck
