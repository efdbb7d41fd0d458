// SPDX-License-Identifier: MIT
#include "race_jit/hooks/hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "race/part_check.h"
#include "race/weak_memory.h"
#include "race_jit/hooks/device_printf.h"
#include "race_jit/hooks/warp_operations.h"
#include "race_jit/hooks/wave_products.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"
#include "race_jit/math/small_floats.h"

namespace weakspot::race_jit {
namespace {

static_assert(static_cast<int>(race::Scope::block) == kBlockScope &&
              static_cast<int>(race::Scope::device) == kDeviceScope &&
              static_cast<int>(race::Scope::system) == kSystemScope);

race::ThreadName current_name() { return {weakspot_current->state->block->index, weakspot_current->number}; }

bool is_valid(const void* address, std::uint64_t size, std::uint32_t site, TouchBits touch) {
  Arena& arena = core->arena();
  if (!arena.contains(address)) return false;
  if (arena.is_shared(address)) return core->is_in_shared_bounds(address, static_cast<unsigned>(size));
  const Allocation* allocation = arena.find(address);
  if (allocation == nullptr || allocation->freed) return false;
  core->windows().remember(site_id(site), *allocation, touch);
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - arena.base()) - allocation->begin;
  return size <= allocation->size - offset;
}

// Addresses of shared memory have 32 bits on a GPU: one that was computed from a shared variable wraps around.
void* wrapped(void* address, std::uint32_t site) {
  if (!core->sites()[site_id(site)].shared) return address;
  char* window = weakspot_current->shared;
  const auto offset = static_cast<std::uint64_t>(static_cast<char*>(address) - window);
  return window + (offset & 0xffffffffu);
}

// `end` says how an asynchronous operation is waited for.
void note_invalid(const void* address, std::uint64_t size, bool write, std::uint32_t site, const char* end = nullptr) {
  using Kind = Incident::Kind;
  Incident incident{.kind = !core->shared().is_of_ended_block(address) ? Kind::invalid_address
                            : end == nullptr                           ? Kind::ended_block
                                                                       : Kind::left_running,
                    .site = site_id(site)};
  if (incident.kind == Kind::left_running) incident.text = end;
  incident.thread = current_name();
  incident.address = reinterpret_cast<std::uint64_t>(address);
  incident.size = size;
  incident.write = write;
  core->note(std::move(incident));
}

// After some strong accesses in a row a thread lets the others run: it may be waiting for one of them. This happens
// before the access, so that what is checked is what is read.
void count_strong(const void* address) {
  if (++weakspot_current->strong_accesses < core->turns().patience()) return;
  weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(address);
  core->give_way(address);
}

template <typename T>
T apply_integer(int operation, T old, T operand, T compare) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  const U a = static_cast<U>(old), b = static_cast<U>(operand);
  switch (operation) {
    case kStore:
    case kExchange:
      return operand;
    case kAdd:
      return static_cast<T>(a + b);
    case kSub:
      return static_cast<T>(a - b);
    case kMinSigned:
      return static_cast<T>(std::min(static_cast<S>(a), static_cast<S>(b)));
    case kMaxSigned:
      return static_cast<T>(std::max(static_cast<S>(a), static_cast<S>(b)));
    case kMinUnsigned:
      return static_cast<T>(std::min(a, b));
    case kMaxUnsigned:
      return static_cast<T>(std::max(a, b));
    case kAnd:
      return static_cast<T>(a & b);
    case kOr:
      return static_cast<T>(a | b);
    case kXor:
      return static_cast<T>(a ^ b);
    case kCompareExchange:
      return old == compare ? operand : old;
    case kIncrement:
      return a >= b ? T{0} : static_cast<T>(a + 1);
    case kDecrement:
      return a == 0 || a > b ? operand : static_cast<T>(a - 1);
    default:
      return old;
  }
}

template <typename Integer, typename Float>
Integer apply_floating(int operation, Integer old, Integer operand) {
  const auto a = std::bit_cast<Float>(old), b = std::bit_cast<Float>(operand);
  switch (operation) {
    case kMinFloat:
    case kMinDouble:
      return std::bit_cast<Integer>(std::fmin(a, b));
    case kMaxFloat:
    case kMaxDouble:
      return std::bit_cast<Integer>(std::fmax(a, b));
    default:
      return std::bit_cast<Integer>(a + b);
  }
}

std::uint32_t add_pair(std::uint32_t a, std::uint32_t b, std::uint16_t (*add)(std::uint16_t, std::uint16_t)) {
  const std::uint32_t high = add(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16));
  return high << 16 | add(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
}

// Other workers may do the same.
template <typename T>
void update_together(void* address, int operation, std::uint64_t operand) {
  auto* place = static_cast<T*>(address);
  T old = __atomic_load_n(place, __ATOMIC_RELAXED), fresh = old;
  do {
    fresh = apply_integer<T>(operation, old, static_cast<T>(operand), T{});
  } while (!__atomic_compare_exchange_n(place, &old, fresh, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  core->counts().changes++;
}

template <typename T>
std::uint64_t apply_at(void* address, int operation, std::uint64_t operand, std::uint64_t compare) {
  T old;
  std::memcpy(&old, address, sizeof old);
  T fresh = apply_integer<T>(operation, old, static_cast<T>(operand), static_cast<T>(compare));
  if constexpr (sizeof(T) == 4) {
    if (operation == kAddFloat || operation == kMinFloat || operation == kMaxFloat) {
      fresh = apply_floating<T, float>(operation, old, static_cast<T>(operand));
    }
    if (operation == kAddHalf2) fresh = add_pair(old, static_cast<T>(operand), add_halves);
    if (operation == kAddBfloat2) fresh = add_pair(old, static_cast<T>(operand), add_bfloats);
  } else if constexpr (sizeof(T) == 2) {
    if (operation == kAddHalf) fresh = add_halves(old, static_cast<T>(operand));
    if (operation == kAddBfloat) fresh = add_bfloats(old, static_cast<T>(operand));
  } else if constexpr (sizeof(T) == 8) {
    if (operation == kAddDouble || operation == kMinDouble || operation == kMaxDouble) {
      fresh = apply_floating<T, double>(operation, old, static_cast<T>(operand));
    }
  }
  if (fresh != old) {
    std::memcpy(address, &fresh, sizeof fresh);
    core->counts().changes++;
  }
  return old;
}

// A worker gives up where the result of an atomic on global memory may depend on other blocks.
TouchBits touch_of_atomic(const void* address, int operation, std::uint64_t size, int scope, std::uint32_t site) {
  const Arena& arena = core->arena();
  if (!arena.contains(address) || arena.is_shared(address)) return 0;
  const bool aligned = reinterpret_cast<std::uintptr_t>(address) % size == 0;
  const bool wide = scope == kDeviceScope || scope == kSystemScope;
  const bool alike = aligned && wide && core->sites()[site_id(site)].ignored;
  const TouchBits update = alike ? update_bit(operation, static_cast<unsigned>(size)) : 0;
  if (update != 0) return update;
  core->needs_others();
  return operation == kLoad ? kTouchRead : kTouchRead | kTouchWrite;
}

// The memory of another block may be gone before the access.
void note_remote(const race::Access& access) {
  const auto* address = reinterpret_cast<const void*>(access.address);
  if (access.space != race::Space::shared || is_in_own_block(address)) return;
  core->shared().note_use(*weakspot_current->state, address, access.size, access.kind != race::AccessKind::read,
                          access.site);
}

// A strong access may be to a flag that orders operations on tensor memory between the fences of tcgen05.
void tell_of_flag(const race::Access& access) {
  if (!core->tensor().any()) return;
  InRuntime inside;
  core->tensor().use_flag(*weakspot_current->state, access.address, access.kind != race::AccessKind::write,
                          access.kind != race::AccessKind::read);
}

race::FenceOrder fence_order(int number) {
  switch (number & kScFence) {
    case kAcquireFence:
      return race::FenceOrder::acquire;
    case kReleaseFence:
      return race::FenceOrder::release;
    case kScFence:
      return race::FenceOrder::sc;
    default:
      return race::FenceOrder::acq_rel;
  }
}

std::optional<race::Space> fenced_space(int number) {
  if ((number & kSharedAlone) != 0) return race::Space::shared;
  if ((number & kGlobalAlone) != 0) return race::Space::global;
  return std::nullopt;
}

// The value of a word of memory of at most eight bytes.
std::uint64_t value_at(const void* address, std::uint64_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, size);
  return value;
}

// Before a strong access: the value that it is to read instead of the newest one, if there is one.
std::optional<std::uint64_t> older_value(const void* address, const race::Access& access) {
  race::Detector& detector = core->detector();
  if (detector.weak() == nullptr || !access.strong || access.size > 8) return std::nullopt;
  return detector.begin_weak(*weakspot_current->state, access, value_at(address, access.size));
}

// An atomic of a mutant. It stays one step of the run; the detector is told otherwise.
void weaken(race::Access& access) {
  using race::MutantKind;
  if (access.scope != race::Scope::block && core->mutation().applies(access.site, MutantKind::narrow)) {
    access.scope = race::Scope::block;
  }
  if ((access.acquire || access.release) && core->mutation().applies(access.site, MutantKind::relax)) {
    access.acquire = access.release = false;
  }
  if (!core->mutation().applies(access.site, MutantKind::plain)) return;
  access.strong = access.acquire = access.release = false;
  if (access.kind == race::AccessKind::update) access.kind = race::AccessKind::write;
}

}  // namespace

race::Scope scope_here(int scope) {
  if (scope != kClusterScope) return static_cast<race::Scope>(scope);
  if (!core->request().has_clusters()) return race::Scope::block;
  return core->request().has_other_clusters() ? race::Scope::cluster : race::Scope::device;
}

std::uint64_t apply_atomic(void* address, int operation, unsigned size, std::uint64_t operand, std::uint64_t compare) {
  switch (size) {
    case 1:
      return apply_at<std::uint8_t>(address, operation, operand, compare);
    case 2:
      return apply_at<std::uint16_t>(address, operation, operand, compare);
    case 4:
      return apply_at<std::uint32_t>(address, operation, operand, compare);
    default:
      return apply_at<std::uint64_t>(address, operation, operand, compare);
  }
}

bool is_valid_access(const void* address, std::uint64_t size, bool write, std::uint32_t site, const char* end) {
  if (is_valid(address, size, site, write ? kTouchWrite : kTouchRead)) return true;
  note_invalid(address, size, write, site, end);
  return false;
}

extern "C" {

ThreadContext* weakspot_context() { return weakspot_current; }

void* weakspot_access(void* address, std::uint64_t size, std::uint32_t flags, std::uint32_t site, std::uint64_t value) {
  const bool write = (flags & kWrite) != 0;
  const TouchBits touch = write ? kTouchWrite : kTouchRead;
  if (!is_valid(address, size, site, touch)) address = wrapped(address, site);
  if (!is_valid(address, size, site, touch)) {
    if (core->turns().is_local(address)) return address;
    note_invalid(address, size, write, site);
    return core->windows().scratch(size);
  }
  if (core->has_given_up()) core->needs_others();
  race::Access access;
  access.address = reinterpret_cast<std::uint64_t>(address);
  access.size = static_cast<unsigned>(size);
  access.kind = (flags & kUpdate) != 0 ? race::AccessKind::update
                : write                ? race::AccessKind::write
                                       : race::AccessKind::read;
  access.space = core->arena().is_shared(address) ? race::Space::shared : race::Space::global;
  access.site = site_id(site);
  if ((flags & (kVolatile | kAtomicRead)) != 0) {
    access.strong = true;
    access.scope = (flags & kVolatile) != 0 ? race::Scope::volatile_access : race::Scope::device;
    access.acquire = (flags & kAcquire) != 0;
    access.release = (flags & kRelease) != 0;
  }
  weakspot_current->site = access.site;
  if (access.strong && access.space == race::Space::global) core->needs_others();
  if (access.strong) count_strong(address);
  if (access.strong) tell_of_flag(access);
  if (access.strong || core->detector().trace() != nullptr) {
    access.feeds_data = !core->sites()[access.site].control_only;
  }
  if ((flags & kCounted) == 0) core->counts().checked++;
  if (write) {
    core->counts().changes++;
    if ((flags & kHasValue) != 0 && size <= 8) access.same_value = std::memcmp(address, &value, size) == 0;
    if ((flags & kHasBytes) != 0) {
      access.same_value = std::memcmp(address, reinterpret_cast<const void*>(value), size) == 0;
    }
  }
  InRuntime inside;
  note_remote(access);
  const std::optional<std::uint64_t> older = older_value(address, access);
  core->detector().access(*weakspot_current->state, access);
  if (older) {
    address = core->windows().scratch(size);
    std::memcpy(address, &*older, size);
  } else if (access.strong && (flags & kHasValue) != 0 && size <= 8 && core->detector().weak() != nullptr) {
    core->detector().weak()->stored(access.address, value);
  }
  return address;
}

// Does for a part of a word what compiled code does in place for whole words; see InlineCheck.
void* weakspot_part(void* address, std::uint64_t size, std::uint32_t flags, std::uint32_t site, std::uint64_t value) {
  ThreadContext& thread = *weakspot_current;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t in_shared = at - reinterpret_cast<std::uint64_t>(thread.shared);
  const bool shared = in_shared < thread.shared_words * 4;
  const SiteWindow& window = thread.windows[site];
  race::Shadow& shadow = core->detector().shadow();
  if ((!shared && at - window.begin >= window.words * 4) || at % size != 0 || !shadow.has_beside()) {
    return weakspot_access(address, size, flags, site, value);
  }
  const race::Entry now = thread.state->now & ~(race::Entry{race::kAllBytes} << 18);
  const race::PartAccess part{
      .now = now | site_id(site),
      .bytes = (size == 1 ? 1u : 3u) << (at & 3),
      .write = (flags & kWrite) != 0,
      .shared = shared,
      .stale = shared ? race::entry_at(thread.state->block->shared_from) : thread.bounds->stale,
      .bounds = *thread.bounds,
  };
  if (!race::check_part(shadow.word(at), shadow.beside(at), part)) {
    return weakspot_access(address, size, flags, site, value);
  }
  thread.site = site_id(site);
  core->counts().checked++;
  if (part.write) core->counts().changes++;
  return address;
}

std::uint64_t weakspot_atomic(void* address, int operation, int size, int scope, int order, std::uint64_t operand,
                              std::uint64_t compare, std::uint32_t site) {
  const auto bytes = static_cast<std::uint64_t>(size);
  weakspot_current->site = site_id(site);
  count_strong(address);
  bool checked = true, is_weak = false;
  const TouchBits touch = touch_of_atomic(address, operation, bytes, scope, site);
  if (!is_valid(address, bytes, site, touch)) address = wrapped(address, site);
  if (!is_valid(address, bytes, site, touch)) {
    checked = false;
    if (!core->turns().is_local(address)) {
      note_invalid(address, bytes, operation != kLoad, site);
      address = core->windows().scratch(bytes);
    }
  }
  if (checked) {
    if (core->has_given_up()) core->needs_others();
    race::Access access;
    access.address = reinterpret_cast<std::uint64_t>(address);
    access.size = static_cast<unsigned>(size);
    access.kind = operation == kLoad    ? race::AccessKind::read
                  : operation == kStore ? race::AccessKind::write
                                        : race::AccessKind::update;
    access.space = core->arena().is_shared(address) ? race::Space::shared : race::Space::global;
    access.site = site_id(site);
    access.strong = true;
    access.scope = scope_here(scope);
    access.ignored = core->sites()[access.site].ignored;
    access.acquire = (order & kAcquireOrder) != 0;
    access.release = (order & kReleaseOrder) != 0;
    weaken(access);
    if (access.strong) tell_of_flag(access);
    core->counts().checked++;
    InRuntime inside;
    note_remote(access);
    const std::optional<std::uint64_t> older = older_value(address, access);
    core->detector().access(*weakspot_current->state, access);
    if (older) return *older;
    is_weak = core->detector().weak() != nullptr && operation != kLoad;
    if (core->is_worker() && access.space == race::Space::global) {
      (size == 4 ? update_together<std::uint32_t> : update_together<std::uint64_t>)(address, operation, operand);
      return 0;  // nobody looks at it
    }
  }
  const std::uint64_t old = apply_atomic(address, operation, static_cast<unsigned>(size), operand, compare);
  if (is_weak) core->detector().weak()->stored(reinterpret_cast<std::uint64_t>(address), value_at(address, bytes));
  return old;
}

void weakspot_barrier(std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_barrier)) return;
  core->turns().wait_at_barrier(site_id(site), false);
}

void weakspot_bare_barrier(std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_barrier)) return;
  core->turns().wait_at_bare_barrier(site_id(site));
}

int weakspot_barrier_reduce(int kind, int value, std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  thread->barrier_kind = kind;
  thread->barrier_value = value;
  core->detector().keep_barrier(site_id(site));  // its value is used
  if (!core->mutation().applies(site_id(site), race::MutantKind::no_barrier)) {
    core->turns().wait_at_barrier(site_id(site), true);
  }
  thread->barrier_value = 0;
  return thread->barrier_result;
}

void weakspot_fence(int scope, int order, std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_fence)) return;
  if (core->mutation().applies(site_id(site), race::MutantKind::narrow_fence)) scope = kBlockScope;
  InRuntime inside;
  core->detector().fence(*weakspot_current->state, scope_here(scope), site_id(site), fence_order(order),
                         fenced_space(order));
}

void weakspot_syncwarp(std::uint32_t mask, std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_warp_barrier)) return;
  weakspot_current->operation = {.mask = mask, .kind = kSyncWarp};
  core->turns().wait(Wait::warp_operation, site_id(site));
}

std::uint64_t weakspot_shuffle(std::uint32_t mask, int mode, std::uint64_t value, int lane, int width,
                               std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  thread->operation = {.mask = mask,
                       .kind = kShuffle + mode,
                       .value = value,
                       .lane = static_cast<std::uint32_t>(lane),
                       .width = static_cast<std::uint32_t>(width)};
  core->turns().wait(Wait::warp_operation, site_id(site));
  return thread->operation.result;
}

std::uint32_t weakspot_vote(std::uint32_t mask, int operation, std::uint64_t value, std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  thread->operation = {.mask = mask, .kind = operation, .value = value};
  core->turns().wait(Wait::warp_operation, site_id(site));
  return static_cast<std::uint32_t>(thread->operation.result);
}

std::uint64_t weakspot_wave(int kind, std::uint64_t value, std::uint32_t lane, std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  thread->operation = {.mask = 0, .kind = kind, .value = value, .lane = lane};
  core->turns().wait(Wait::warp_operation, site_id(site));
  return thread->operation.result;
}

void weakspot_wave_product(std::uint32_t shape, const void* a, const void* b, const void* c, void* d,
                           std::uint32_t site) {
  const ProductLane held{a, b, c, d};
  weakspot_current->operation = {
      .mask = 0, .kind = kWaveProduct, .value = reinterpret_cast<std::uint64_t>(&held), .lane = shape};
  core->turns().wait(Wait::warp_operation, site_id(site));
}

std::uint64_t weakspot_wave_move(std::uint64_t old, std::uint64_t value, std::uint32_t control, std::uint32_t rows,
                                 std::uint32_t banks, std::uint32_t zero_outside, std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  const unsigned lane = thread->number % core->detector().warps().lanes;
  const std::optional<unsigned> source = moved_from(control, lane, core->detector().warps().lanes);
  thread->operation = {.mask = 0, .kind = kWaveRead, .value = value, .lane = source.value_or(lane)};
  core->turns().wait(Wait::warp_operation, site_id(site));
  const bool takes_part = (rows >> (lane / 16 % 4) & 1) != 0 && (banks >> (lane / 4 % 4) & 1) != 0;
  if (!takes_part) return old;
  if (source && thread->operation.width != 0) return thread->operation.result;
  return zero_outside != 0 ? 0 : old;
}

// The machine decides which lanes happen to run together, and one alone is a legal answer.
std::uint32_t weakspot_activemask(std::uint32_t) { return 1u << (weakspot_current->number % race::kWarp); }

int weakspot_printf(const char* format, const void* arguments, std::uint32_t) {
  InRuntime inside;
  std::string text = format_device_printf(format, arguments);
  core->notes().output() += text;
  return static_cast<int>(text.size());
}

void weakspot_assert(const char* message, const char*, std::uint32_t, const char*, std::uint64_t, std::uint32_t site) {
  Incident incident{.kind = Incident::Kind::assertion, .site = site_id(site)};
  incident.thread = current_name();
  incident.text = fmt::format("assertion '{}' failed", message);
  incident.by_assert = true;
  core->note(std::move(incident));
  weakspot_current->site = site_id(site);
  core->turns().end_thread();
}

void weakspot_trap(std::uint32_t site) {
  Incident incident{.kind = Incident::Kind::assertion, .site = site_id(site)};
  incident.thread = current_name();
  incident.text = "the kernel executed a trap";
  core->note(std::move(incident));
  weakspot_current->site = site_id(site);
  core->turns().end_thread();
}

void weakspot_not_modelled(const char* what, std::uint32_t effect, std::uint32_t site) {
  InRuntime inside;
  Incident incident{.kind = Incident::Kind::not_modelled, .site = site_id(site)};
  incident.thread = current_name();
  incident.effect = static_cast<race::Effect>(effect);
  incident.text = what;
  core->note(std::move(incident));
}

void* weakspot_malloc(std::uint64_t size, std::uint32_t) {
  core->needs_others();
  return core->arena().allocate(size, "device malloc");
}

void weakspot_free(void* pointer, std::uint32_t site) {
  core->needs_others();
  if (pointer != nullptr && !core->arena().release(pointer)) note_invalid(pointer, 0, true, site);
  core->windows().forget();
}

}  // extern "C"

std::vector<HookSymbol> hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&(name))}
      HOOK(weakspot_context),         HOOK(weakspot_access),         HOOK(weakspot_part),
      HOOK(weakspot_atomic),          HOOK(weakspot_barrier),        HOOK(weakspot_bare_barrier),
      HOOK(weakspot_barrier_reduce),  HOOK(weakspot_fence),          HOOK(weakspot_syncwarp),
      HOOK(weakspot_shuffle),         HOOK(weakspot_vote),           HOOK(weakspot_wave),
      HOOK(weakspot_wave_move),       HOOK(weakspot_wave_product),   HOOK(weakspot_activemask),
      HOOK(weakspot_printf),          HOOK(weakspot_assert),         HOOK(weakspot_trap),
      HOOK(weakspot_not_modelled),    HOOK(weakspot_malloc),         HOOK(weakspot_free),
      HOOK(weakspot_half_to_float),   HOOK(weakspot_float_to_half),  HOOK(weakspot_bfloat_to_float),
      HOOK(weakspot_float_to_bfloat), HOOK(weakspot_round_to_small), HOOK(weakspot_tiny_to_float),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
