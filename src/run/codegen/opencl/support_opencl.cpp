// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class OpenclChecker {
 public:
  OpenclChecker(const LitmusTest& test, const OpenclLimits& limits, const Refuse& refuse)
      : test_(test), limits_(limits), refuse_(refuse) {}

  void run() {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (const Access* access = access_of(instruction)) check_access(*access);
        if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) check_rmw(*rmw);
        if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check_fence(*fence);
        if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) check_barrier(*barrier);
      }
    }
  }

 private:
  bool ptx() const { return limits_.mapping == OpenclMapping::inline_ptx; }
  bool legacy() const { return limits_.mapping == OpenclMapping::legacy; }

  void check_scope(Scope scope) {
    if (scope == Scope::cluster) refuse_("OpenCL has no clusters");
    if (ptx()) return;
    if (scope == Scope::system && !limits_.all_devices_scope) {
      refuse_("the device has no system-scope atomics (memory_scope_all_svm_devices)");
    }
    const bool device = scope == Scope::device || scope == Scope::queue_family;
    if (device && !legacy() && !limits_.device_scope) {
      refuse_("the device has no device-scope atomics (memory_scope_device)");
    }
  }

  void check_order(Order order) {
    if (ptx()) return;
    if (order == Order::consume || order == Order::acquire_pc) {
      refuse_(fmt::format("OpenCL has no memory order '{}'", to_string(order)));
    }
    if (order == Order::seq_cst && (legacy() || !limits_.seq_cst)) {
      refuse_("the device has no sequentially consistent atomics (memory_order_seq_cst)");
    }
    if ((is_acquire(order) || is_release(order)) && !legacy() && !limits_.acquire_release) {
      refuse_("the device has no acquire and release atomics (memory_order_acq_rel)");
    }
  }

  void check_access(const Access& access) {
    if (access.cache != CacheOp::none && !ptx()) refuse_("OpenCL has no cache operators");
    if (access.order == Order::plain) return;
    const int size = size_in_bytes(access.type);
    if (size < 4 && !ptx())
      refuse_(fmt::format("the test has an atomic access of {} bits; OpenCL has 32 and 64", size * 8));
    check_scope(access.scope);
    check_order(access.order);
  }

  void check_rmw(const Rmw& rmw) {
    if (ptx()) return;
    if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec) refuse_(fmt::format("OpenCL has no atom.{}", to_string(rmw.op)));
  }

  void check_fence(const Fence& fence) {
    if (fence.kind == FenceKind::proxy && !ptx()) return refuse_("OpenCL has no proxy fences");
    if (fence.kind == FenceKind::order && fence.order == Order::relaxed) return;
    check_scope(fence.scope);
    if (fence.kind == FenceKind::membar) return check_order(Order::seq_cst);
    check_order(fence.order);
  }

  void check_barrier(const Barrier& barrier) {
    if (barrier.scope == Scope::subgroup && !limits_.subgroups && !ptx()) refuse_("the device has no subgroups");
    if (barrier.order != Order::plain && barrier.order != Order::acq_rel) {
      refuse_("OpenCL's barriers always acquire and release");
    }
    if (barrier.memory_scope != Scope::workgroup) check_scope(barrier.memory_scope);
  }

  const LitmusTest& test_;
  const OpenclLimits& limits_;
  const Refuse& refuse_;
};

}  // namespace

void refuse_for_opencl(const LitmusTest& test, const OpenclLimits& limits, const Refuse& refuse) {
  OpenclChecker(test, limits, refuse).run();
}

}  // namespace weakspot::codegen
