// SPDX-License-Identifier: MIT
// Fences, which order the accesses of a thread, and barriers, where threads wait for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "litmus/access.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

// `order` is C11's atomic_thread_fence, PTX's fence.{acq_rel,sc}, Vulkan's membar. `membar` is PTX's old fence
// with a scope only. dmb, dsb, isb are AArch64's; the next three x86's. `named` fences are known to models by name
// alone: RISC-V's and the Linux kernel's.
enum class FenceKind : std::uint8_t {
  order,
  membar,
  proxy,
  av_device,
  vis_device,
  dmb,
  dsb,
  isb,
  mfence,
  sfence,
  lfence,
  named,
  mbarrier_init,  // PTX's fence.mbarrier_init.release.cluster
  wgmma,          // PTX's wgmma.fence
  tensor_before,  // PTX's tcgen05.fence::before_thread_sync
  tensor_after    // PTX's tcgen05.fence::after_thread_sync
};

// RISC-V's `fence predecessors,successors`, fence.tso and fence.i, then the Linux kernel's.
enum class FenceName : std::uint8_t {
  none,
  riscv_r_r,
  riscv_r_w,
  riscv_r_rw,
  riscv_w_r,
  riscv_w_w,
  riscv_w_rw,
  riscv_rw_r,
  riscv_rw_w,
  riscv_rw_rw,
  riscv_tso,
  riscv_i,
  linux_mb,
  linux_rmb,
  linux_wmb,
  linux_barrier,
  linux_before_atomic,
  linux_after_atomic,
  linux_after_spinlock,
  linux_after_unlock_lock,
  linux_after_srcu_read_unlock,
  linux_rcu_lock,
  linux_rcu_unlock,
  linux_sync_rcu
};

// AArch64 DMB/DSB: which accesses before the barrier are ordered. all: with everything after; loads: loads
// before with everything after; stores: stores before with stores after.
enum class FenceAccesses : std::uint8_t { all, loads, stores };
enum class Shareability : std::uint8_t { full, inner, outer, non };

struct Fence {
  FenceKind kind = FenceKind::order;
  // Kind order; kind proxy: acquire or release where it is a fence of one direction. Else seq_cst.
  Order order = Order::seq_cst;
  Scope scope = Scope::device;                     // kinds order, membar and proxy
  Proxy proxy = Proxy::generic;                    // kind proxy only
  Spaces semantics;                                // kind order: Vulkan storage classes, OpenCL flags; proxy: spaces
  FenceAccesses accesses = FenceAccesses::all;     // dmb, dsb
  Shareability shareability = Shareability::full;  // dmb, dsb
  Tags tags;                                       // kind order: available, visible
  FenceName name = FenceName::none;                // kind named only
  std::optional<LocationId> map;                   // kind proxy, tensormap, acquire: the tensor map
  friend bool operator==(const Fence&, const Fence&) = default;
};

// An execution barrier between the threads of one `scope` instance (a workgroup unless said otherwise).
struct Barrier {
  enum class Kind : std::uint8_t { sync, arrive, wait };  // wait: for the threads that have arrived
  Kind kind = Kind::sync;
  Scope scope = Scope::workgroup;
  Operand id = Value{};           // the barrier of the program: equal ids meet
  std::optional<Operand> name;    // a named barrier resource (PTX's `a`), when given apart from the id
  std::optional<Operand> quorum;  // the number of threads that take part; none: all of the scope instance
  // The effect on memory beyond the default of the dialect: Vulkan's semantics, OpenCL's flags.
  Order order = Order::plain;  // plain: the default of the dialect
  Scope memory_scope = Scope::workgroup;
  Spaces semantics;
  Tags tags;  // available, visible
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

std::string_view to_string(FenceName name);  // riscv.rw.w riscv.tso linux.mb linux.rcu_lock ...
std::optional<FenceName> fence_name_named(std::string_view name);

}  // namespace weakspot::litmus
