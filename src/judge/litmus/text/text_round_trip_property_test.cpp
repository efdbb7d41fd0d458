// SPDX-License-Identifier: MIT
// Random texts of dialects that take no tests of others, and with parts that random tests do not have: arrays and pairs
// of registers. Each test is read and printed, and must read back the same.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "litmus/dialect.h"
#include "support/holds.h"
#include "support/read_one.h"

namespace weakspot::litmus::text_round_trip_property_test {
namespace {

constexpr int kCases = 1000;

template <std::size_t N>
std::string_view any_of(base::Rng& rng, const std::array<std::string_view, N>& items) {
  return items[rng.below(N)];
}

// Puts a register, a base, a number or a location in place of each R, B, N and L that stands alone.
struct Alphabet {
  std::array<std::string_view, 4> registers;
  std::array<std::string_view, 2> bases;
  std::array<std::string_view, 3> locations = {"x", "y", "a"};
};

std::string filled(base::Rng& rng, std::string_view form, const Alphabet& with) {
  auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool alone = (i == 0 || !is_letter(form[i - 1])) && (i + 1 == form.size() || !is_letter(form[i + 1]));
    if (alone && form[i] == 'R') {
      text += any_of(rng, with.registers);
    } else if (alone && form[i] == 'B') {
      text += any_of(rng, with.bases);
    } else if (alone && form[i] == 'N') {
      text += std::to_string(rng.below(4));
    } else if (alone && form[i] == 'L') {
      text += any_of(rng, with.locations);
    } else {
      text += form[i];
    }
  }
  return text;
}

void reads_back(const std::string& text, Dialect dialect) {
  RC_LOG() << text;
  const LitmusTest test = tests::read_one(text);
  const base::Result<std::string> printed = print(test, dialect);
  if (!printed) RC_FAIL(base::render(printed.errors()));
  RC_LOG() << *printed;
  RC_ASSERT(tests::read_one(*printed) == test);
  for (Dialect other : {Dialect::canonical, Dialect::json}) {
    const base::Result<std::string> again = print(test, other);
    RC_ASSERT(again.ok());
    RC_LOG() << *again;
    RC_ASSERT(tests::read_one(*again) == test);
  }
}

// One thread in rows of one column; a branch leads forward to a label behind all of them.
template <std::size_t N>
std::string rows(base::Rng& rng, const std::array<std::string_view, N>& forms, const Alphabet& with) {
  std::string text = " P0 ;\n";
  for (std::uint64_t i = 1 + rng.below(6); i > 0; --i)
    text += fmt::format(" {} ;\n", filled(rng, any_of(rng, forms), with));
  return text + " END: ;\n";
}

TEST(RandomTexts, Riscv) {
  static constexpr std::array<std::string_view, 34> kForms = {
      "lw R,0(B)",         "lw.aq R,0(B)",        "ld R,0(B)",          "lb R,0(B)",
      "lhu R,0(B)",        "lwu R,0(B)",          "sw R,0(B)",          "sw.rl R,0(B)",
      "sd R,0(B)",         "sb R,0(B)",           "sw x0,0(B)",         "lr.w R,(B)",
      "lr.d.aq R,(B)",     "sc.w R,R,(B)",        "sc.d.rl R,R,(B)",    "sc.w.aq.rl R,R,0(B)",
      "amoswap.w R,R,(B)", "amoadd.w.aq R,R,(B)", "amoor.d.rl R,R,(B)", "amomaxu.d x0,R,(B)",
      "fence rw,rw",       "fence r,rw",          "fence.tso",          "fence.i",
      "fence w,w",         "add R,R,R",           "xor R,R,R",          "ori R,x0,N",
      "andi R,R,N",        "slli R,R,N",          "srai R,R,N",         "mv R,R",
      "bne R,x0,END",      "blt R,R,END"};
  static constexpr Alphabet kWith = {{"x5", "t1", "x7", "x28"}, {"x10", "x11"}};
  tests::holds(kCases, [] {
    base::Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    reads_back("RISCV T\n{ uint64_t x=1; uint64_t y; 0:x10=x; 0:x11=y; }\n" + rows(rng, kForms, kWith) +
                   "exists (0:x5=1 /\\ x=1 /\\ y=0)\n",
               Dialect::riscv);
  });
}

TEST(RandomTexts, LinuxKernel) {
  static constexpr std::array<std::string_view, 34> kForms = {
      "R = READ_ONCE(*L);",
      "WRITE_ONCE(*L, N);",
      "WRITE_ONCE(*L, R);",
      "R = *L;",
      "*L = N;",
      "R = smp_load_acquire(L);",
      "smp_store_release(L, N);",
      "smp_mb();",
      "smp_rmb();",
      "smp_wmb();",
      "barrier();",
      "rcu_read_lock();",
      "rcu_read_unlock();",
      "synchronize_rcu();",
      "smp_mb__before_atomic();",
      "R = xchg(L, N);",
      "R = xchg_relaxed(L, R);",
      "R = cmpxchg(L, N, N);",
      "R = cmpxchg_acquire(L, R, N);",
      "atomic_inc(L);",
      "atomic_add(N, L);",
      "R = atomic_add_return(N, L);",
      "R = atomic_fetch_sub_release(N, L);",
      "R = atomic_dec_and_test(L);",
      "spin_lock(l);",
      "spin_unlock(l);",
      "R = spin_trylock(l);",
      "R = R + R;",
      "R = R ^ R;",
      "if (R == N) WRITE_ONCE(*L, N);",
      "if (READ_ONCE(*L)) { R = N; } else { WRITE_ONCE(*L, R); }",
      "while (R == N) { R = READ_ONCE(*L); }",
      "a[N] = R;",
      "R = READ_ONCE(a[N]);"};
  static constexpr Alphabet kWith = {{"r0", "r1", "r2", "r3"}, {"x", "y"}};
  tests::holds(kCases, [] {
    base::Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    std::string body;
    for (std::uint64_t i = rng.below(6); i > 0; --i)
      body += fmt::format("  {}\n", filled(rng, any_of(rng, kForms), kWith));
    reads_back(
        "C T\n{ x=1; int a[4] = {1, 2}; }\nP0 (int* x, int* y, int* a, spinlock_t* l) {\n  int r0; int r1; int r2; "
        "int r3;\n  r0 = READ_ONCE(*x);\n" +
            body + "}\nexists (0:r0=1 /\\ x=1 /\\ a[1]=2)\n",
        Dialect::linux_kernel);
  });
}

TEST(RandomTexts, ArraysAndPairsOfAArch64) {
  static constexpr std::array<std::string_view, 20> kForms = {
      "LDR W0,[B]",           "LDR W1,[B,#4]",      "STR W0,[B,#8]", "LDR X2,[B]",       "STR X3,[B,#8]",
      "LDP W0,W1,[B]",        "LDP W1,W4,[B,#8]",   "LDP X2,X3,[B]", "STP W0,W1,[B,#4]", "STP X2,X3,[B]",
      "STP WZR,W1,[B]",       "LDPSW X2,X3,[B,#8]", "STLR W0,[B]",   "LDAR W1,[B]",      "STR W1,[B,W0,SXTW #2]",
      "LDR W1,[B,X3,LSL #2]", "ADD W0,W0,W1",       "EOR W1,W0,W0",  "MOV W0,#N",        "CBNZ W0,END"};
  static constexpr Alphabet kWith = {{"W0", "W1", "W4", "W4"}, {"X10", "X11"}};
  tests::holds(kCases, [] {
    base::Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    reads_back("AArch64 T\n{ int a[4]={1,2,3}; int64_t b[2]; 0:X10=a; 0:X11=b; }\n" + rows(rng, kForms, kWith) +
                   "exists (0:X0=1 /\\ a[1]=2 /\\ b={0,1})\n",
               Dialect::aarch64);
  });
}

TEST(RandomTexts, ArraysOfC) {
  static constexpr std::array<std::string_view, 12> kForms = {
      "a[N] = R;",
      "R = a[N];",
      "*(a + N) = N;",
      "R = *(a + R);",
      "R = a[R];",
      "a[R] = N;",
      "atomic_store_explicit(&c[N], R, memory_order_release);",
      "R = atomic_load_explicit(c + N, memory_order_acquire);",
      "R = atomic_fetch_add_explicit(&c[N], N, memory_order_relaxed);",
      "R = R + N;",
      "if (a[N] == R) { R = N; }",
      "a[N] += R;"};
  static constexpr Alphabet kWith = {{"r0", "r1", "r2", "r3"}, {"a", "c"}};
  tests::holds(kCases, [] {
    base::Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    std::string body;
    for (std::uint64_t i = rng.below(6); i > 0; --i)
      body += fmt::format("  {}\n", filled(rng, any_of(rng, kForms), kWith));
    reads_back(
        "C T\n{ int a[4] = {1, 2}; int c[4]; }\nP0 (int* a, atomic_int* c) {\n  int r0 = 0; int r1 = 0; int r2 = 0; "
        "int r3 "
        "= 0;\n" +
            body + "}\nexists (0:r0=1 /\\ a[1]=2 /\\ c={0,1,2,3})\n",
        Dialect::c11);
  });
}

}  // namespace
}  // namespace weakspot::litmus::text_round_trip_property_test
