// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "litmus/instruction.h"
#include "support/assembly.h"

namespace weakspot::litmus::read_linux_test {
namespace {

// One function, with a word of the kernel's in any case.
std::string function(const std::string& body) {
  return "C T\n{ }\nP0(int *x, int *y, atomic_t *z, spinlock_t *l)\n{\n\tint r0;\n\tint r1;\n" + body +
         "\n}\nforall (true)\n";
}

std::string lowered(const std::string& body) {
  std::string text = only_thread(read_one(function(body)));
  return text.substr(text.find('}') == std::string::npos ? 0 : text.find('}') + 2);
}

TEST(ReadLinux, TheWordsTellTheDialect) {
  EXPECT_EQ(read_one(function("WRITE_ONCE(*x, 1);")).arch, Arch::linux_kernel);
  EXPECT_EQ(
      read_one("C T\n{ }\nP0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\nexists (x=1)\n")
          .arch,
      Arch::c11);
}

TEST(ReadLinux, Accesses) {
  EXPECT_EQ(lowered("WRITE_ONCE(*x, 1);"), "st x, 1;");
  EXPECT_EQ(lowered("r0 = READ_ONCE(*x);"), "ld r0, x;");
  EXPECT_EQ(lowered("r0 = *x; *y = 1;"), "ld.na r0, x; st.na y, 1;");
  EXPECT_EQ(lowered("r0 = smp_load_acquire(x); smp_store_release(y, r0);"), "ld.acq r0, x; st.rel y, r0;");
  EXPECT_EQ(lowered("rcu_assign_pointer(*x, 1); r0 = rcu_dereference(*y);"), "st.rel x, 1; ld r0, y;");
  EXPECT_EQ(lowered("smp_store_mb(*x, 1);"), "st x, 1; linux.mb;");
  EXPECT_EQ(lowered("atomic_set(z, 1); r0 = atomic_read_acquire(z);"), "st z, 1; ld.acq r0, z;");
}

TEST(ReadLinux, Fences) {
  EXPECT_EQ(
      lowered("smp_mb(); smp_rmb(); smp_wmb(); barrier(); rcu_read_lock(); rcu_read_unlock(); synchronize_rcu();"),
      "linux.mb; linux.rmb; linux.wmb; linux.barrier; linux.rcu_lock; linux.rcu_unlock; linux.sync_rcu;");
}

TEST(ReadLinux, ReadModifyWrites) {
  EXPECT_EQ(lowered("r0 = xchg(x, 1);"), "atom.exch.sc r0, x, 1;");
  EXPECT_EQ(lowered("r0 = cmpxchg_acquire(x, 0, 1);"), "atom.cas.acq r0, x, 0, 1;");
  EXPECT_EQ(lowered("r0 = atomic_fetch_add_relaxed(2, z);"), "atom.add r0, z, 2;");
  EXPECT_EQ(lowered("atomic_inc(z); atomic_sub(3, z);"), "atom.add _, z, 1; atom.sub _, z, 3;");
  EXPECT_EQ(lowered("r0 = atomic_add_return_release(2, z);"), "atom.add.rel __t0, z, 2; add r0, __t0, 2;");
  EXPECT_EQ(lowered("r0 = atomic_dec_and_test(z);"), "atom.sub.sc __t0, z, 1; sub __t1, __t0, 1; eq r0, __t1, 0;");
  // atomic_fetch_add returns the old value, even if nothing uses it.
  EXPECT_EQ(lowered("atomic_fetch_add_relaxed(2, z);"), "atom.add __t0, z, 2;");
}

TEST(ReadLinux, Locks) {
  EXPECT_EQ(lowered("spin_lock(l); spin_unlock(l);"), "atom.cas.acq.lock _, l, 0, 1; st.rel.lock l, 0;");
  const LitmusTest test = read_one(function("r0 = spin_trylock(l);"));
  EXPECT_TRUE(std::get<Rmw>(test.threads[0].instructions[0].operation).success.has_value());
}

TEST(ReadLinux, PrintsWhatItRead) {
  for (const char* body : {
           "WRITE_ONCE(*x, 1); smp_mb(); r0 = READ_ONCE(*y);",
           "r0 = smp_load_acquire(x); if (r0) { smp_store_release(y, 1); } else { *y = 2; }",
           "spin_lock(l); r0 = *x; spin_unlock(l); smp_mb__after_unlock_lock();",
           "r0 = spin_trylock(l); if (r0 == 1) { spin_unlock(l); }",
           "r0 = xchg_relaxed(x, 1); r1 = cmpxchg(y, r0, 2); atomic_add(r1, z); r0 = atomic_fetch_xor_release(1, z);",
           "rcu_read_lock(); r0 = rcu_dereference(*x); rcu_read_unlock(); synchronize_rcu();",
       }) {
    expect_round_trip(read_one(function(body)), Dialect::linux_kernel);
    expect_round_trip(read_one(function(body)), Dialect::canonical);
    expect_round_trip(read_one(function(body)), Dialect::json);
  }
}

TEST(ReadLinux, Mistakes) {
  EXPECT_EQ(mistakes_in(function("r0 = READ_ONCE(1);")), "'READ_ONCE' takes an object in memory such as *x\n");
  EXPECT_EQ(mistakes_in("C T\n{ }\nP0(struct srcu_struct *s) { smp_mb(); }\nforall (true)\n"),
            "'struct srcu_struct' is not modelled\n");
  for (const char* name : {"spin_is_locked", "srcu_read_lock", "atomic_add_unless", "atomic64_read", "synchronize_srcu",
                           "call_rcu", "spin_lock_irqsave", "mutex_lock", "smp_cond_load_acquire"}) {
    EXPECT_EQ(mistakes_in(function(fmt::format("r0 = {}(l);", name))), fmt::format("'{}' is not modelled\n", name));
  }
  EXPECT_NE(mistakes_in(function("WRITE_ONCE(*x, 1); atomic_store_explicit(y, 1, memory_order_relaxed);")), "");
}

TEST(ReadLinux, NoOtherDialectHoldsItsAccesses) {
  const LitmusTest test = read_one(function("WRITE_ONCE(*x, 1);"));
  for (const Dialect dialect : {Dialect::c11, Dialect::opencl, Dialect::ptx, Dialect::aarch64, Dialect::riscv}) {
    EXPECT_FALSE(adapt(test, dialect).ok()) << to_string(dialect);
  }
  EXPECT_NE(mistakes_in("weakspot T\n{ }\n P0 ;\n st.rel.lock x, 0 ;\nexists (x=1)\n"), "");
}

}  // namespace
}  // namespace weakspot::litmus::read_linux_test
