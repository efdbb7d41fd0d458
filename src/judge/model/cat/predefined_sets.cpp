// SPDX-License-Identifier: MIT
// Sets of events by name. Where a name has two senses the architecture of the test decides, here:
//
//   name      aarch64              x86-64             C, OpenCL            others
//   A         acquiring reads      locked accesses    atomic accesses      strong (not plain) accesses
//   X         single-instruction   locked accesses    read-modify-writes   read-modify-writes; RISC-V: as AArch64
//             read-modify-writes                                            (in older models: all)
//   CON       -                    -                  consume              through the constant proxy
//   ACQ_REL   by its order         by its order       by its order         fences: also sequentially consistent ones;
//                                                                          Vulkan: none, they are in both ACQ and REL
//   RLX       by its order         ...                ...                  PTX: also volatile accesses (scope: system)
//   F         -                    -                  with barriers        with barriers; Vulkan: those with an order
#include <algorithm>

#include "model/cat/predefined_tables.h"
#include "model/execution/expand.h"

namespace weakspot::model {

using litmus::Arch;
using litmus::FenceAccesses;
using litmus::FenceKind;
using litmus::Order;
using litmus::Proxy;
using litmus::Scope;
using litmus::Shareability;
using litmus::Space;
using litmus::Tag;

const litmus::Fence* fence_of(const Event& event) {
  return event.source == nullptr ? nullptr : std::get_if<litmus::Fence>(&event.source->operation);
}

const litmus::Barrier* barrier_of(const Event& event) {
  return event.source == nullptr ? nullptr : std::get_if<litmus::Barrier>(&event.source->operation);
}

namespace {

Arch arch_of(const Frame& frame) { return frame.test == nullptr ? Arch::generic : frame.test->arch; }

bool is_access(const Event& event) { return event.kind == EventKind::read || event.kind == EventKind::write; }
bool is_memory(const Event& event) { return is_access(event) || event.kind == EventKind::init; }

// On a CPU, in a test that has a GPU as well.
bool in_HOST(const Frame& frame, const Event& event) {
  return event.thread && event.thread->index < frame.scopes.placements.size() &&
         frame.scopes.placements[event.thread->index].cpu;
}

bool is_volatile(const Frame& frame, const Event& event) {
  const Arch arch = arch_of(frame);
  return (arch == Arch::ptx || arch == Arch::generic) && is_access(event) && event.order == Order::plain &&
         event.access() != nullptr && event.access()->tags.has(Tag::volatile_);
}

// The order of an access, fence or barrier; plain if it has none.
// Such a fence releases or acquires, and names a scope.
bool is_of_tensormap(const litmus::Fence& fence) {
  return fence.kind == FenceKind::proxy && fence.proxy == Proxy::tensormap;
}

Order order_of(const Frame& frame, const Event& event) {
  if (is_volatile(frame, event)) return Order::relaxed;
  if (is_access(event)) return event.order;
  if (const litmus::Fence* fence = fence_of(event)) {
    if (fence->kind == FenceKind::order || is_of_tensormap(*fence)) return fence->order;
    // PTX: membar is a synonym of fence.sc.
    return fence->kind == FenceKind::membar ? Order::seq_cst : Order::plain;
  }
  if (const litmus::Barrier* barrier = barrier_of(event)) return barrier->order;
  return Order::plain;
}

bool is_fence(const Frame& frame, const Event& event) {
  if (event.kind == EventKind::barrier) {
    return arch_of(frame) != Arch::vulkan || order_of(frame, event) != Order::plain;
  }
  const litmus::Fence* fence = fence_of(event);
  return event.kind == EventKind::fence &&
         (fence == nullptr || (fence->kind != FenceKind::av_device && fence->kind != FenceKind::vis_device));
}

// For fences and barriers: Vulkan's .semav and .semvis.
litmus::Tags event_tags(const Event& event) {
  if (const litmus::Access* access = event.access()) return access->tags;
  if (const litmus::Fence* fence = fence_of(event)) return fence->tags;
  if (const litmus::Barrier* barrier = barrier_of(event)) return barrier->tags;
  return {};
}

litmus::Spaces semantics_of(const Event& event) {
  if (const litmus::Access* access = event.access()) return access->semantics;
  if (const litmus::Fence* fence = fence_of(event)) return fence->semantics;
  if (const litmus::Barrier* barrier = barrier_of(event)) return barrier->semantics;
  return {};
}

Space space_of(const Frame& frame, const Event& event) {
  if (!is_memory(event) || !event.location) return Space::none;
  if (const litmus::Access* access = event.access(); access != nullptr && access->space != Space::none) {
    return access->space;
  }
  return frame.test == nullptr ? Space::none : (*frame.test)[event.physical].space;
}

template <Order order>
bool has_order(const Frame& frame, const Event& event) {
  const Order own = order_of(frame, event);
  const Arch arch = arch_of(frame);
  if (arch == Arch::vulkan && own == Order::acq_rel) return order == Order::acquire || order == Order::release;
  if (order == Order::acq_rel && own == Order::seq_cst && !is_access(event)) {
    return arch == Arch::ptx || arch == Arch::ptx2015 || arch == Arch::generic;
  }
  return own == order;
}

// The events of a matrix product, and the fences before products.
bool in_WGMMA(const Frame&, const Event& event) {
  const litmus::Fence* fence = fence_of(event);
  return (fence != nullptr && fence->kind == FenceKind::wgmma) ||
         (event.agent != 0 && event.source != nullptr && event.source->engine == litmus::AsyncEngine::wgmma);
}

// The events of tcgen05 operations, and of the arrivals that follow them.
bool in_TENSOR(const Frame&, const Event& event) {
  return event.agent != 0 && event.source != nullptr && litmus::is_tensor(event.source->engine);
}

// PTX's tcgen05.wait::ld and tcgen05.wait::st.
bool in_TCWAIT(const Frame&, const Event& event) {
  const auto* control = event.source == nullptr ? nullptr : std::get_if<litmus::AsyncControl>(&event.source->operation);
  return control != nullptr && litmus::is_tensor(control->engine);
}

bool is_atomic(const Frame& frame, const Event& event) {
  return is_access(event) && order_of(frame, event) != Order::plain;
}

bool is_locked(const Frame&, const Event& event) { return is_access(event) && event.rmw; }

bool is_exclusive(const Frame&, const Event& event) {
  return is_access(event) && event.access() != nullptr && event.access()->tags.has(Tag::exclusive);
}

// A read-modify-write whose result is thrown away.
bool in_NoRet(const Frame&, const Event& event) {
  if (event.kind != EventKind::read || event.source == nullptr) return false;
  const auto* rmw = std::get_if<litmus::Rmw>(&event.source->operation);
  return rmw != nullptr && !rmw->target;
}

// The Linux kernel's also has the read of a failed compare-and-exchange.
bool in_RMW(const Frame& frame, const Event& event) {
  if (arch_of(frame) != Arch::linux_kernel) return is_locked(frame, event);
  return is_access(event) && !is_lock(event) && std::holds_alternative<litmus::Rmw>(event.source->operation);
}

bool in_A(const Frame& frame, const Event& event) {
  switch (arch_of(frame)) {
    case Arch::aarch64:
      // An acquire whose result is thrown away acquires nothing.
      return event.kind == EventKind::read && !in_NoRet(frame, event) &&
             (event.order == Order::acquire || event.order == Order::seq_cst);
    case Arch::x86_64:
      return is_locked(frame, event);
    default:
      return is_atomic(frame, event);
  }
}

bool in_L(const Frame&, const Event& event) { return event.kind == EventKind::write && is_release(event.order); }
bool in_Q(const Frame&, const Event& event) {
  return event.kind == EventKind::read && event.order == Order::acquire_pc;
}
bool in_X(const Frame& frame, const Event& event) {
  const bool pairs = arch_of(frame) == Arch::aarch64 || arch_of(frame) == Arch::riscv;
  return is_locked(frame, event) && (!pairs || !is_exclusive(frame, event));
}

template <Proxy proxy>
bool has_proxy(const Frame& frame, const Event& event) {
  if (const litmus::Fence* fence = fence_of(event)) {
    if (fence->kind == FenceKind::proxy) return fence->proxy == proxy;
    return proxy == Proxy::generic && (fence->kind == FenceKind::order || fence->kind == FenceKind::membar);
  }
  return is_memory(event) && proxy_of(frame, event) == proxy;
}

bool in_CON(const Frame& frame, const Event& event) {
  const Arch arch = arch_of(frame);
  if (arch == Arch::c11 || arch == Arch::opencl) return order_of(frame, event) == Order::consume;
  return has_proxy<Proxy::constant>(frame, event);
}

template <Scope scope>
bool has_scope(const Frame& frame, const Event& event) {
  return scope_of(frame, event) == scope;
}

bool in_WI(const Frame& frame, const Event& event) {
  return has_scope<Scope::thread>(frame, event) || (is_access(event) && !scope_of(frame, event));
}

// A location that no atomic access touches.
bool in_NAL(const Frame& frame, const Event& event) {
  return is_memory(event) && std::none_of(frame.events.begin(), frame.events.end(), [&](const Event& other) {
           return is_atomic(frame, other) && other.location && other.physical == event.physical;
         });
}

bool in_LOCAL(const Frame& frame, const Event& event) {
  if (is_memory(event)) return space_of(frame, event) == Space::shared;
  return event.kind != EventKind::branch && (semantics_of(event).empty() || semantics_of(event).has(Space::shared));
}

bool in_GLOBAL(const Frame& frame, const Event& event) {
  if (is_memory(event)) return space_of(frame, event) != Space::shared;
  return event.kind != EventKind::branch && (semantics_of(event).empty() || semantics_of(event).has(Space::global));
}

// ---- Vulkan. Tests for other machines say nothing about storage classes and availability. Their accesses all have
// storage class 0 and are not private, and their releases and acquires apply to every class. ----

bool is_vulkan(const Frame& frame) { return arch_of(frame) == Arch::vulkan; }

// Only the half of a read-modify-write that acquires or releases carries the semantics.
bool synchronizes(const Frame& frame, const Event& event) {
  const Order order = order_of(frame, event);
  if (event.kind == EventKind::read) return is_acquire(order);
  if (event.kind == EventKind::write) return is_release(order);
  return order != Order::plain;
}

template <Space space>
bool has_storage(const Frame& frame, const Event& event) {
  if (!is_access(event)) return false;
  return is_vulkan(frame) ? space_of(frame, event) == space : space == Space::storage0;
}

template <Space space>
bool has_storage_semantics(const Frame& frame, const Event& event) {
  if (event.kind == EventKind::init || !synchronizes(frame, event)) return false;
  return !is_vulkan(frame) || semantics_of(event).has(space);
}

bool in_NONPRIV(const Frame& frame, const Event& event) {
  return is_access(event) && (!is_vulkan(frame) || is_atomic(frame, event) || event_tags(event).has(Tag::non_private));
}
bool in_AV(const Frame& frame, const Event& event) {
  return event.kind == EventKind::write && (is_atomic(frame, event) || event_tags(event).has(Tag::available));
}
bool in_VIS(const Frame& frame, const Event& event) {
  return event.kind == EventKind::read && (is_atomic(frame, event) || event_tags(event).has(Tag::visible));
}
bool in_SEMAV(const Frame& frame, const Event& event) {
  if (event.kind == EventKind::read || event.kind == EventKind::init) return false;
  if (!is_vulkan(frame)) return is_release(order_of(frame, event));
  return order_of(frame, event) != Order::plain && event_tags(event).has(Tag::available);
}
bool in_SEMVIS(const Frame& frame, const Event& event) {
  if (event.kind == EventKind::write || event.kind == EventKind::init) return false;
  if (!is_vulkan(frame)) return is_acquire(order_of(frame, event));
  return order_of(frame, event) != Order::plain && event_tags(event).has(Tag::visible);
}

// ---- what only some tests of PTX have ----

bool in_MBARRIER(const Frame& frame, const Event& event) {
  return is_memory(event) && frame.expansion != nullptr && frame.expansion->mbarriers.contains(event.physical);
}

// ---- fences by kind ----

template <FenceKind kind>
bool is_kind(const Frame&, const Event& event) {
  const litmus::Fence* fence = fence_of(event);
  return fence != nullptr && fence->kind == kind;
}

template <FenceKind kind, FenceAccesses accesses, Shareability shareability>
bool is_barrier_instruction(const Frame&, const Event& event) {
  const litmus::Fence* fence = fence_of(event);
  return fence != nullptr && fence->kind == kind && fence->accesses == accesses && fence->shareability == shareability;
}

bool in_MEMBAR(const Frame& frame, const Event& event) { return is_kind<FenceKind::membar>(frame, event); }

// ASPLOS'15: membar of one level. Today's fence.sc of a scope is the membar of that scope.
template <Scope scope>
bool is_membar(const Frame& frame, const Event& event) {
  const litmus::Fence* fence = fence_of(event);
  return fence != nullptr && (fence->kind == FenceKind::membar || fence->kind == FenceKind::order) &&
         order_of(frame, event) == Order::seq_cst && fence->scope == scope;
}

#define WEAKSPOT_ARM_BARRIERS(NAME, KIND)                                                        \
  {NAME ".SY", is_barrier_instruction<KIND, FenceAccesses::all, Shareability::full>},            \
      {NAME ".LD", is_barrier_instruction<KIND, FenceAccesses::loads, Shareability::full>},      \
      {NAME ".ST", is_barrier_instruction<KIND, FenceAccesses::stores, Shareability::full>},     \
      {NAME ".ISH", is_barrier_instruction<KIND, FenceAccesses::all, Shareability::inner>},      \
      {NAME ".ISHLD", is_barrier_instruction<KIND, FenceAccesses::loads, Shareability::inner>},  \
      {NAME ".ISHST", is_barrier_instruction<KIND, FenceAccesses::stores, Shareability::inner>}, \
      {NAME ".OSH", is_barrier_instruction<KIND, FenceAccesses::all, Shareability::outer>},      \
      {NAME ".OSHLD", is_barrier_instruction<KIND, FenceAccesses::loads, Shareability::outer>},  \
      {NAME ".OSHST", is_barrier_instruction<KIND, FenceAccesses::stores, Shareability::outer>}, \
      {NAME ".NSH", is_barrier_instruction<KIND, FenceAccesses::all, Shareability::non>},        \
      {NAME ".NSHLD", is_barrier_instruction<KIND, FenceAccesses::loads, Shareability::non>}, {  \
    NAME ".NSHST", is_barrier_instruction<KIND, FenceAccesses::stores, Shareability::non>        \
  }

constexpr SetEntry kSets[] = {
    // Kinds of events.
    // Accesses to locks have sets of their own, and models that know them add those to R, W and M.
    {"R", [](const Frame&, const Event& e) { return e.kind == EventKind::read && !is_lock(e); }},
    {"W", [](const Frame&, const Event& e) { return e.is_write() && !is_lock(e); }},
    {"M", [](const Frame&, const Event& e) { return is_memory(e) && !is_lock(e); }},
    {"IW", [](const Frame&, const Event& e) { return e.kind == EventKind::init; }},
    {"I", [](const Frame&, const Event& e) { return e.kind == EventKind::init; }},
    {"F", is_fence},
    {"B", [](const Frame&, const Event& e) { return e.kind == EventKind::branch; }},
    {"BCC", [](const Frame&, const Event& e) { return e.kind == EventKind::branch; }},
    {"RMW", in_RMW},
    {"Exp", [](const Frame&, const Event& e) { return is_memory(e); }},
    {"EXEC", [](const Frame&, const Event&) { return true; }},

    // Orders: C11, OpenCL, PTX, Vulkan.
    {"NA", [](const Frame& f, const Event& e) { return is_access(e) && order_of(f, e) == Order::plain; }},
    {"WEAK", [](const Frame& f, const Event& e) { return is_access(e) && order_of(f, e) == Order::plain; }},
    {"RLX", has_order<Order::relaxed>},
    {"CON", in_CON},
    {"ACQ", has_order<Order::acquire>},
    {"REL", has_order<Order::release>},
    {"ACQ_REL", has_order<Order::acq_rel>},
    {"SC", has_order<Order::seq_cst>},
    {"ATOM", is_atomic},
    {"ATOMIC", is_atomic},
    {"NAL", in_NAL},
    {"VOL", [](const Frame&, const Event& e) { return is_access(e) && event_tags(e).has(Tag::volatile_); }},

    // Scopes.
    {"WI", in_WI},
    {"SG", has_scope<Scope::subgroup>},
    {"WARP", has_scope<Scope::subgroup>},
    {"WG", has_scope<Scope::workgroup>},
    {"CTA", has_scope<Scope::workgroup>},
    {"CLUSTER", has_scope<Scope::cluster>},
    {"QF", has_scope<Scope::queue_family>},
    {"DV", has_scope<Scope::device>},
    {"DEV", has_scope<Scope::device>},
    {"GPU", has_scope<Scope::device>},
    {"SYS", has_scope<Scope::system>},
    {"ALL", has_scope<Scope::system>},

    // Memory and proxies.
    {"GLOBAL", in_GLOBAL},
    {"LOCAL", in_LOCAL},
    {"SHARED", in_LOCAL},
    {"GEN", has_proxy<Proxy::generic>},
    {"TEX", has_proxy<Proxy::texture>},
    {"SUR", has_proxy<Proxy::surface>},
    {"ALIAS", has_proxy<Proxy::alias>},
    {"ASYNC", has_proxy<Proxy::async>},
    {"TENSORMAP", has_proxy<Proxy::tensormap>},
    {"PROXY", is_kind<FenceKind::proxy>},
    {"MBARRIER", in_MBARRIER},
    {"MBINIT", is_kind<FenceKind::mbarrier_init>},
    {"WGMMA", in_WGMMA},
    {"TENSOR", in_TENSOR},
    {"TCWAIT", in_TCWAIT},
    {"TCBEFORE", is_kind<FenceKind::tensor_before>},
    {"TCAFTER", is_kind<FenceKind::tensor_after>},
    {"HOST", in_HOST},

    // Vulkan.
    {"SC0", has_storage<Space::storage0>},
    {"SC1", has_storage<Space::storage1>},
    {"SC2", has_storage<Space::storage2>},
    {"SC3", has_storage<Space::storage3>},
    {"SEMSC0", has_storage_semantics<Space::storage0>},
    {"SEMSC1", has_storage_semantics<Space::storage1>},
    {"SEMSC2", has_storage_semantics<Space::storage2>},
    {"SEMSC3", has_storage_semantics<Space::storage3>},
    {"NONPRIV", in_NONPRIV},
    {"AV", in_AV},
    {"VIS", in_VIS},
    {"SEMAV", in_SEMAV},
    {"SEMVIS", in_SEMVIS},
    {"NAVOL", [](const Frame& f, const Event& e) { return is_volatile(f, e); }},
    {"NOAV", [](const Frame&, const Event& e) { return event_tags(e).has(Tag::no_availability); }},
    {"AVDEVICE", is_kind<FenceKind::av_device>},
    {"VISDEVICE", is_kind<FenceKind::vis_device>},
    {"CBAR", [](const Frame&, const Event& e) { return e.kind == EventKind::barrier; }},

    // Fences and accesses of PTX (2015), x86 and AArch64.
    {"MEMBAR", in_MEMBAR},
    {"MEMBAR.CTA", is_membar<Scope::workgroup>},
    {"MEMBAR.GL", is_membar<Scope::device>},
    {"MEMBAR.SYS", is_membar<Scope::system>},
    {"MFENCE", is_kind<FenceKind::mfence>},
    {"mfence", is_kind<FenceKind::mfence>},
    {"SFENCE", is_kind<FenceKind::sfence>},
    {"LFENCE", is_kind<FenceKind::lfence>},
    {"A", in_A},
    {"L", in_L},
    {"Q", in_Q},
    {"X", in_X},
    {"EX", is_exclusive},
    {"NoRet", in_NoRet},
    {"ISB", is_kind<FenceKind::isb>},
    WEAKSPOT_ARM_BARRIERS("DMB", FenceKind::dmb),
    WEAKSPOT_ARM_BARRIERS("DSB", FenceKind::dsb),
};

#undef WEAKSPOT_ARM_BARRIERS

}  // namespace

Proxy proxy_of(const Frame& frame, const Event& event) {
  const litmus::Access* access = event.access();
  if (access != nullptr && access->proxy != Proxy::generic) return access->proxy;
  if (frame.test == nullptr || !event.location || event.kind == EventKind::init) return Proxy::generic;
  return (*frame.test)[*event.location].proxy;
}

std::optional<Scope> scope_of(const Frame& frame, const Event& event) {
  if (in_HOST(frame, event)) return Scope::system;
  if (is_volatile(frame, event)) return Scope::system;
  if (is_access(event)) {
    const litmus::Tags tags = event_tags(event);
    if (event.order == Order::plain && !tags.has(Tag::available) && !tags.has(Tag::visible)) return std::nullopt;
    return event.scope;
  }
  if (const litmus::Fence* fence = fence_of(event)) {
    const bool scoped = fence->kind == FenceKind::order || fence->kind == FenceKind::membar || is_of_tensormap(*fence);
    return scoped ? std::optional(fence->scope) : std::nullopt;
  }
  if (const litmus::Barrier* barrier = barrier_of(event)) {
    const Arch arch = arch_of(frame);
    if (arch == Arch::ptx || arch == Arch::ptx2015) return std::nullopt;
    return barrier->memory_scope;
  }
  return std::nullopt;
}

std::span<const SetEntry> set_entries() { return kSets; }

}  // namespace weakspot::model
