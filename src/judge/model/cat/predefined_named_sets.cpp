// SPDX-License-Identifier: MIT
// Sets of events that only tests of one machine have: RISC-V's fences and orders, and the Linux kernel's, which its
// bell file names by tags. In capitals are the tags as the kernel's model has them today, of every event of an
// operation; the others are those of its first version, which only had what is in force.
#include "model/cat/predefined_tables.h"

namespace weakspot::model {
namespace {

using litmus::Arch;
using litmus::FenceName;
using litmus::Order;

bool is_of(const Frame& frame, Arch arch) { return frame.test != nullptr && frame.test->arch == arch; }

bool is_access_of(const Frame& frame, const Event& event, Arch arch) {
  return is_of(frame, arch) && (event.kind == EventKind::read || event.kind == EventKind::write);
}

template <FenceName name>
bool is_fence_named(const Frame&, const Event& event) {
  const litmus::Fence* fence = fence_of(event);
  return fence != nullptr && fence->name == name;
}

template <Order order>
bool in_riscv_order(const Frame& frame, const Event& event) {
  // Both halves of an atomic operation, which is one event there.
  return is_access_of(frame, event, Arch::riscv) && event.access()->order == order;
}

// Half of an atomic memory operation: a read-modify-write of one instruction.
bool is_amo(const Frame& frame, const Event& event) {
  return event.rmw && is_access_of(frame, event, Arch::riscv) && !event.access()->tags.has(litmus::Tag::exclusive);
}

// ---- the Linux kernel ----

const litmus::Rmw* rmw_of(const Event& event) {
  return event.source == nullptr ? nullptr : std::get_if<litmus::Rmw>(&event.source->operation);
}

bool is_unmarked(const Frame& frame, const Event& event) {
  return !is_access_of(frame, event, Arch::linux_kernel) || event.access() == nullptr || is_lock(event);
}

// atomic_add() and the like, which return nothing.
bool is_no_return(const Event& event) {
  const litmus::Rmw* rmw = rmw_of(event);
  return rmw != nullptr && !rmw->target;
}

template <Order order>
bool has_linux_tag(const Frame& frame, const Event& event) {
  if (is_unmarked(frame, event) || is_no_return(event)) return false;
  return event.access()->order == order;
}

bool has_mb_tag(const Frame& frame, const Event& event) {
  return is_fence_named<FenceName::linux_mb>(frame, event) || has_linux_tag<Order::seq_cst>(frame, event);
}

bool has_no_return_tag(const Frame& frame, const Event& event) {
  return !is_unmarked(frame, event) && is_no_return(event);
}

bool in_Once(const Frame& frame, const Event& event) {
  if (is_unmarked(frame, event) || event.order == Order::plain) return false;
  const bool acquires = event.kind == EventKind::read && event.order == Order::acquire;
  const bool releases = event.kind == EventKind::write && event.order == Order::release;
  return !acquires && !releases && !(event.kind == EventKind::read && is_no_return(event));
}

template <EventKind kind, Order order>
bool in_force(const Frame& frame, const Event& event) {
  return !is_unmarked(frame, event) && event.kind == kind && event.order == order;
}

bool in_Noreturn(const Frame& frame, const Event& event) {
  return event.kind == EventKind::read && has_no_return_tag(frame, event);
}

template <EventKind kind, bool rmw>
bool in_lock(const Frame&, const Event& event) {
  return is_lock(event) && event.kind == kind && event.rmw == rmw;
}

constexpr SetEntry kNamedSets[] = {
    // For the engine: R and W with the accesses to locks.
    {"every-read", [](const Frame&, const Event& e) { return e.kind == EventKind::read; }},
    {"every-write", [](const Frame&, const Event& e) { return e.is_write(); }},
    {"AMO", is_amo},
    // X of models that name AMO: herd7 up to 7.58 had both sets, and the halves of LR/SC were in X. Later versions have
    // X for AMOs, EX for LR/SC, and no AMO.
    {"older-X", [](const Frame&, const Event& e) { return e.rmw; }},
    // R and W of models that name RISC-V's fences: an AMO is one operation there, a load and a store, which a fence
    // orders as a whole. Other models would take its read for a write that coherence leaves out.
    {"R-or-AMO", [](const Frame& f, const Event& e) { return e.kind == EventKind::read || is_amo(f, e); }},
    {"W-or-AMO", [](const Frame& f, const Event& e) { return e.is_write() || is_amo(f, e); }},

    {"Fence.r.r", is_fence_named<FenceName::riscv_r_r>},
    {"Fence.r.w", is_fence_named<FenceName::riscv_r_w>},
    {"Fence.r.rw", is_fence_named<FenceName::riscv_r_rw>},
    {"Fence.w.r", is_fence_named<FenceName::riscv_w_r>},
    {"Fence.w.w", is_fence_named<FenceName::riscv_w_w>},
    {"Fence.w.rw", is_fence_named<FenceName::riscv_w_rw>},
    {"Fence.rw.r", is_fence_named<FenceName::riscv_rw_r>},
    {"Fence.rw.w", is_fence_named<FenceName::riscv_rw_w>},
    {"Fence.rw.rw", is_fence_named<FenceName::riscv_rw_rw>},
    {"Fence.tso", is_fence_named<FenceName::riscv_tso>},
    {"Fence.i", is_fence_named<FenceName::riscv_i>},
    {"Acq", in_riscv_order<Order::acquire>},
    {"Rel", in_riscv_order<Order::release>},
    {"AcqRel", in_riscv_order<Order::acq_rel>},
    {"Sc", in_riscv_order<Order::seq_cst>},

    {"ONCE", has_linux_tag<Order::relaxed>},
    {"ACQUIRE", has_linux_tag<Order::acquire>},
    {"RELEASE", has_linux_tag<Order::release>},
    {"MB", has_mb_tag},
    {"NORETURN", has_no_return_tag},
    {"Once", in_Once},
    {"Acquire", in_force<EventKind::read, Order::acquire>},
    {"Release", in_force<EventKind::write, Order::release>},
    {"Noreturn", in_Noreturn},
    {"Mb", is_fence_named<FenceName::linux_mb>},
    {"Rmb", is_fence_named<FenceName::linux_rmb>},
    {"Wmb", is_fence_named<FenceName::linux_wmb>},
    {"Barrier", is_fence_named<FenceName::linux_barrier>},
    {"Before-atomic", is_fence_named<FenceName::linux_before_atomic>},
    {"After-atomic", is_fence_named<FenceName::linux_after_atomic>},
    {"After-spinlock", is_fence_named<FenceName::linux_after_spinlock>},
    {"After-unlock-lock", is_fence_named<FenceName::linux_after_unlock_lock>},
    {"After-srcu-read-unlock", is_fence_named<FenceName::linux_after_srcu_read_unlock>},
    {"Rcu-lock", is_fence_named<FenceName::linux_rcu_lock>},
    {"Rcu-unlock", is_fence_named<FenceName::linux_rcu_unlock>},
    {"Sync-rcu", is_fence_named<FenceName::linux_sync_rcu>},
    {"LKR", in_lock<EventKind::read, true>},
    {"LKW", in_lock<EventKind::write, true>},
    {"LF", in_lock<EventKind::read, false>},
    {"UL", in_lock<EventKind::write, false>},
};

}  // namespace

bool is_lock(const Event& event) {
  const litmus::Access* access = event.access();
  return access != nullptr && access->tags.has(litmus::Tag::lock);
}

std::span<const SetEntry> named_set_entries() { return kNamedSets; }

}  // namespace weakspot::model
