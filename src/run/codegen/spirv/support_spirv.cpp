// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>

#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class SpirvChecker {
 public:
  SpirvChecker(const LitmusTest& test, const Refuse& refuse) : test_(test), refuse_(refuse) {}

  void run() {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (const Access* access = access_of(instruction)) check_access(*access);
        if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) check_rmw(*rmw);
        if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check_fence(*fence);
      }
    }
    if (test_.arch == Arch::vulkan) check_classes();
    check_placement();
  }

 private:
  void check_scope(Scope scope) {
    if (scope == Scope::cluster) refuse_("Vulkan has no clusters");
  }

  void check_access(const Access& access) {
    if (access.cache != CacheOp::none) refuse_("SPIR-V has no cache operators");
    if (access.order == Order::seq_cst) refuse_("Vulkan's memory model has no sequentially consistent accesses");
    const int size = size_in_bytes(access.type);
    if (access.order != Order::plain) {
      check_scope(access.scope);
      if (size < 4) refuse_(fmt::format("the test has an atomic access of {} bits; Vulkan has 32 and 64", size * 8));
    }
    if (!access.address.location || test_[*access.address.location].space != Space::shared) return;
    if (size < 4) refuse_(fmt::format("the test accesses {} bits of shared memory; Vulkan has 32 and 64", size * 8));
    // The workgroup's memory is typed: words and double words are separate.
    if (size != size_in_bytes(test_[*access.address.location].type))
      refuse_("the test accesses part of a shared location");
  }

  void check_rmw(const Rmw& rmw) {
    if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec) refuse_(fmt::format("SPIR-V has no atom.{}", to_string(rmw.op)));
  }

  void check_fence(const Fence& fence) {
    check_scope(fence.scope);
    if (fence.kind == FenceKind::proxy) refuse_("SPIR-V has no proxy fences");
    if (fence.kind == FenceKind::membar) {
      refuse_("a membar is sequentially consistent, and Vulkan's memory model has no such fences");
    }
    if (fence.kind == FenceKind::order && fence.order == Order::seq_cst) {
      refuse_("Vulkan's memory model has no sequentially consistent fences");
    }
  }

  // All locations are in buffers, which are one storage class: several classes cannot be kept apart, and an acquire or
  // release cannot exclude this one.
  void check_classes() {
    std::optional<Space> used;
    for_each_access([&](const Access& access) {
      if (access.space == Space::none) return;
      if (used && *used != access.space)
        refuse_("the test uses several storage classes; a run keeps all locations in buffers");
      used = access.space;
    });
    auto check = [&](Order order, const Spaces& semantics) {
      if (!is_acquire(order) && !is_release(order)) return;
      if (semantics.empty() || (used && !semantics.has(*used))) {
        refuse_("the test acquires or releases a storage class that its accesses do not use");
      }
    };
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (const Access* access = access_of(instruction)) check(access->order, access->semantics);
        if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check(fence->order, fence->semantics);
        if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
          check(barrier->order, barrier->semantics);
        }
      }
    }
  }

  template <typename Visit>
  void for_each_access(Visit&& visit) {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (const Access* access = access_of(instruction)) visit(*access);
      }
    }
  }

  void check_placement() {
    const ScopeTree tree = test_.scope_tree();
    for (const Placement& placement : tree.placements) {
      if (placement.queue_family != tree.placements.front().queue_family) {
        refuse_("the test places its threads in several queue families; a run uses one");
      }
    }
    if (!tree.system_synchronizes.empty()) refuse_("the test has threads that system-synchronize");
  }

  const LitmusTest& test_;
  const Refuse& refuse_;
};

}  // namespace

void refuse_for_spirv(const LitmusTest& test, const Refuse& refuse) { SpirvChecker(test, refuse).run(); }

}  // namespace weakspot::codegen
