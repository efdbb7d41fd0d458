// SPDX-License-Identifier: MIT
// The Linux kernel's macros for shared memory, as its memory model's linux-kernel.def defines them.
#pragma once

#include "base/names.h"
#include "litmus/fence.h"
#include "litmus/operators.h"

namespace weakspot::litmus {

inline constexpr base::Named<FenceName> kLinuxFences[] = {
    {"smp_mb", FenceName::linux_mb},
    {"smp_rmb", FenceName::linux_rmb},
    {"smp_wmb", FenceName::linux_wmb},
    {"barrier", FenceName::linux_barrier},
    {"smp_mb__before_atomic", FenceName::linux_before_atomic},
    {"smp_mb__after_atomic", FenceName::linux_after_atomic},
    {"smp_mb__after_spinlock", FenceName::linux_after_spinlock},
    {"smp_mb__after_unlock_lock", FenceName::linux_after_unlock_lock},
    {"smp_mb__after_srcu_read_unlock", FenceName::linux_after_srcu_read_unlock},
    {"rcu_read_lock", FenceName::linux_rcu_lock},
    {"rcu_read_unlock", FenceName::linux_rcu_unlock},
    {"synchronize_rcu", FenceName::linux_sync_rcu},
    {"synchronize_rcu_expedited", FenceName::linux_sync_rcu},
};

// Loads and stores. The first argument is the object, `*x`, or, if `pointer`, a pointer to it.
struct LinuxAccess {
  Order order = Order::relaxed;
  bool store = false;
  bool pointer = false;
  bool fenced = false;  // followed by smp_mb()
  friend constexpr bool operator==(const LinuxAccess&, const LinuxAccess&) = default;
};
inline constexpr base::Named<LinuxAccess> kLinuxAccesses[] = {
    {"READ_ONCE", {Order::relaxed, false, false}},         {"WRITE_ONCE", {Order::relaxed, true, false}},
    {"smp_load_acquire", {Order::acquire, false, true}},   {"smp_store_release", {Order::release, true, true}},
    {"rcu_dereference", {Order::relaxed, false, false}},   {"rcu_assign_pointer", {Order::release, true, false}},
    {"smp_store_mb", {Order::relaxed, true, false, true}}, {"atomic_read", {Order::relaxed, false, true}},
    {"atomic_set", {Order::relaxed, true, true}},          {"atomic_read_acquire", {Order::acquire, false, true}},
    {"atomic_set_release", {Order::release, true, true}},
};

// The suffixes of read-modify-writes. A read-modify-write without a suffix is a full barrier.
inline constexpr base::Named<Order> kLinuxOrders[] = {
    {"_relaxed", Order::relaxed},
    {"_acquire", Order::acquire},
    {"_release", Order::release},
    {"", Order::seq_cst},
};

inline constexpr base::Named<RmwOp> kLinuxOps[] = {
    {"add", RmwOp::add},  {"sub", RmwOp::sub}, {"inc", RmwOp::add},  {"dec", RmwOp::sub},
    {"and", RmwOp::and_}, {"or", RmwOp::or_},  {"xor", RmwOp::xor_},
};

// Other macros that linux-kernel.def defines or that tests of the kernel use. Readers refuse them by name.
inline constexpr std::string_view kLinuxNotModelled[] = {
    "spin_is_locked",
    "atomic_add_unless",
    "atomic_inc_not_zero",
    "atomic_inc_unless_negative",
    "atomic_andnot",
    "atomic_fetch_andnot",
    "atomic_try_cmpxchg",
    "atomic_dec_if_positive",
    "smp_cond_load_acquire",
    "smp_cond_load_relaxed",
    "smp_acquire__after_ctrl_dep",
    "spin_unlock_wait",
    "try_cmpxchg",
    "xadd",
    "set_bit",
    "clear_bit",
    "test_bit",
    "test_and_set_bit",
    "wait_event",
    "wake_up",
};

}  // namespace weakspot::litmus
