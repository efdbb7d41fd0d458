// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>

#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class WgslChecker {
 public:
  WgslChecker(const LitmusTest& test, const Refuse& refuse) : test_(test), refuse_(refuse) {}

  void run() {
    for (const Location& location : test_.locations) check_type(location.type, "locations");
    for (const Thread& thread : test_.threads) {
      for (const Register& reg : thread.registers) {
        if (size_in_bytes(reg.type) == 8) refuse_("the test has registers of 64 bits; WGSL has 32");
      }
      for (const Instruction& instruction : thread.instructions) {
        if (const Access* access = access_of(instruction)) check_access(*access);
        if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) check_rmw(*rmw);
        if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check_fence(*fence);
        if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) check_barrier(*barrier);
      }
    }
    for (const bool shared : {false, true}) {
      if (plain_.contains(shared) && atomic_.contains(shared)) {
        refuse_(fmt::format("the test accesses {} memory both plainly and atomically; WGSL memory is one or the other",
                            shared ? "shared" : "global"));
      }
    }
  }

 private:
  void check_type(Type type, const char* what) {
    const int size = size_in_bytes(type);
    if (size != 4) refuse_(fmt::format("the test has {} of {} bits; WGSL has 32", what, size * 8));
  }

  bool is_shared(const Access& access) const {
    return access.address.location && test_[*access.address.location].space == Space::shared;
  }

  void check_access(const Access& access) {
    const bool shared = is_shared(access);
    (access.order == Order::plain ? plain_ : atomic_).insert(shared);
    if (!access.address.location) refuse_("the test uses an address in a register, and WGSL has no addresses");
    check_type(access.type, "accesses");
    if (access.address.offset != 0) refuse_("the test accesses part of a location");
    if (access.cache != CacheOp::none) refuse_("WGSL has no cache operators");
    if (access.order == Order::plain) {
      if (access.tags.has(Tag::volatile_)) refuse_("WGSL has no volatile accesses");
      return;
    }
    if (access.order != Order::relaxed) refuse_("WGSL has only relaxed atomics");
    if (shared) return;
    if (access.scope == Scope::system || access.scope == Scope::cluster) {
      refuse_(fmt::format("WGSL has no atomics of scope '{}'", to_string(access.scope)));
    } else if (access.scope != Scope::device && access.scope != Scope::queue_family) {
      refuse_("WGSL's atomics on storage memory have device scope, never a smaller one");
    }
  }

  void check_rmw(const Rmw& rmw) {
    if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec) refuse_(fmt::format("WGSL has no atom.{}", to_string(rmw.op)));
    const bool ordered = rmw.op == RmwOp::min || rmw.op == RmwOp::max;
    if (ordered && is_signed(rmw.access.type))
      refuse_("the test has a signed minimum or maximum, and memory is unsigned in this WGSL");
  }

  void check_fence(const Fence& fence) {
    if (fence.kind == FenceKind::order && fence.order == Order::relaxed) return;
    refuse_("WGSL has no fences, only workgroup barriers");
  }

  void check_barrier(const Barrier& barrier) {
    if (barrier.scope == Scope::subgroup) refuse_("WGSL has no subgroup barriers");
    if (barrier.memory_scope != Scope::workgroup) refuse_("WGSL's barriers order memory only within a workgroup");
    if (barrier.order != Order::plain && barrier.order != Order::acq_rel) {
      refuse_("WGSL's barriers always acquire and release");
    }
  }

  const LitmusTest& test_;
  const Refuse& refuse_;
  std::set<bool> plain_;  // true: in shared memory; false: in global memory
  std::set<bool> atomic_;
};

}  // namespace

void refuse_for_wgsl(const LitmusTest& test, const Refuse& refuse) { WgslChecker(test, refuse).run(); }

}  // namespace weakspot::codegen
