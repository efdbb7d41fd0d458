// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/text.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_c_test {
namespace {

using tests::read_one;

base::Result<std::vector<LitmusTest>> read(const std::string& text) { return read_tests(base::Source("t", text)); }

// The instructions of a thread in the canonical form, one after the other.
std::string code_of(const LitmusTest& test, std::size_t thread = 0) {
  std::vector<std::vector<std::string>> columns = canonical_columns(test);
  if (thread >= columns.size()) return "no such thread";
  std::string text;
  for (std::size_t i = 1; i < columns[thread].size(); ++i) text += columns[thread][i] + "; ";
  if (!text.empty()) text.resize(text.size() - 2);
  return text;
}

// The one function of a test, with parameters enough for everybody.
constexpr std::string_view kC11 =
    "C t\n{{}}\nP0 (atomic_int* x, int* y, volatile int* v, long* l, int** p) {{\n{}\n}}\n";
constexpr std::string_view kOpenCL =
    "OPENCL t\n{{}}\nP0 (global atomic_int* x, global int* y, local atomic_int* s) {{\n{}\n}}\n";

std::string c11(std::string_view body) { return fmt::format(fmt::runtime(kC11), body); }
std::string opencl(std::string_view body) { return fmt::format(fmt::runtime(kOpenCL), body); }

std::string first_error(const std::string& text) {
  base::Result<std::vector<LitmusTest>> tests = read(text);
  return tests ? "no error" : tests.errors().front().message;
}

struct Translation {
  std::string_view source;
  std::string_view code;
};

void expect_translations(std::string (*wrap)(std::string_view), Dialect dialect, const auto& table) {
  for (const Translation& row : table) {
    const LitmusTest test = read_one(wrap(row.source));
    EXPECT_EQ(code_of(test), row.code) << row.source;
    base::Result<LitmusTest> adapted = adapt(test, dialect);
    ASSERT_TRUE(adapted.ok()) << base::render(adapted.errors());
    EXPECT_EQ(*adapted, test) << row.source;
    base::Result<std::string> text = print(test, dialect);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(read_one(*text), test) << *text;
  }
}

TEST(C, TemporariesAvoidTheNamesOfTheFunction) {
  EXPECT_EQ(code_of(read_one(c11("*y = *v; int __t0 = 2; *y = __t0;"))),
            "ld.na.vol __t1, v; st.na y, __t1; st.na y, 2");
  // An unclosed comment is reported first.
  EXPECT_EQ(read(c11("*y = *v; /* ")).errors().front().message, "this comment is not closed");
}

TEST(C, Accesses) {
  constexpr Translation kTable[] = {
      {"int r = *y;", "ld.na r, y"},
      {"int r; r = *x;", "ld.na r, x"},
      {"*y = 1;", "st.na y, 1"},
      {"*v = 1; int r = *v;", "st.na.vol v, 1; ld.na.vol r, v"},
      {"*y = *v;", "ld.na.vol __t0, v; st.na y, __t0"},
      {"*l = 5000000000;", "st.na l, 5000000000"},
      {"*y += 2;", "ld.na __t0, y; add __t1, __t0, 2; st.na y, __t1"},
      {"*y;", "ld.na __t0, y"},
      {"*(volatile int*)y = 1; *y = 2;", "st.na.vol y, 1; st.na y, 2"},
      {"int r = *(char*)y;", "ld.na.s8 r, y"},
      {"int r = atomic_load(x);", "ld.sc r, x"},
      {"int r = atomic_load_explicit(x, memory_order_relaxed);", "ld r, x"},
      {"int r = atomic_load_explicit(x, memory_order_consume);", "ld.con r, x"},
      {"int r = atomic_load_explicit(v, memory_order_acquire);", "ld.acq r, v"},
      {"atomic_store(x, 1);", "st.sc x, 1"},
      {"atomic_store_explicit(x, 1, memory_order_release);", "st.rel x, 1"},
      {"atomic_store_explicit(x, *y + 1, memory_order_relaxed);", "ld.na __t0, y; add __t1, __t0, 1; st x, __t1"},
      {"int r = atomic_exchange(x, 2);", "atom.exch.sc r, x, 2"},
      {"atomic_fetch_add_explicit(x, 1, memory_order_acq_rel);", "atom.add.acqrel _, x, 1"},
      {"int r = atomic_fetch_sub(x, 1);", "atom.sub.sc r, x, 1"},
      {"int r = atomic_fetch_or_explicit(x, 1, memory_order_release);", "atom.or.rel r, x, 1"},
      {"(void)atomic_fetch_xor(x, 1); atomic_fetch_and(x, 3);", "atom.xor.sc _, x, 1; atom.and.sc _, x, 3"},
      {"atomic_thread_fence(memory_order_seq_cst); atomic_thread_fence(memory_order_relaxed);", "fence.sc; fence.rlx"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(C, CompareExchange) {
  constexpr Translation kTable[] = {
      {"int e = 1; int r = atomic_compare_exchange_strong(x, &e, 2);", "mov e, 1; atom.cas.sc.failsc e, x, e, 2, r"},
      {"int e; atomic_compare_exchange_weak_explicit(x, &e, 2, memory_order_acq_rel, memory_order_acquire);",
       "atom.cas.acqrel.failacq.weak e, x, e, 2"},
      {"int r = atomic_compare_exchange_strong_explicit(x, y, 2, memory_order_acquire, memory_order_relaxed);",
       "ld.na __t0, y; atom.cas.acq __t0, x, __t0, 2, r; bne r, 0, L0; st.na y, __t0; L0:"},
      {"atomic_compare_exchange_strong(x, y, *y);",
       "ld.na __t0, y; ld.na __t1, y; atom.cas.sc.failsc __t1, x, __t1, __t0, __t2; bne __t2, 0, L0; "
       "st.na y, __t1; L0:"},
      {"int e; while (!atomic_compare_exchange_strong(x, &e, 1)) {}",
       "L0:; atom.cas.sc.failsc e, x, e, 1, __t0; bne __t0, 0, L1; b L0; L1:"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(C, Expressions) {
  constexpr Translation kTable[] = {
      {"int a = *y; int r = a + 2 * a;", "ld.na a, y; mul __t0, 2, a; add r, a, __t0"},
      {"int a = *y; int r = (a ^ a) + 1;", "ld.na a, y; xor __t0, a, a; add r, __t0, 1"},
      {"int a = *y; int r = a << 1 | a >> 1;", "ld.na a, y; shl __t0, a, 1; shr __t1, a, 1; or r, __t0, __t1"},
      {"int a = *y; int r = a - -1;", "ld.na a, y; sub r, a, -1"},
      {"int a = *y; int r = -a; r = ~a; r = !a;", "ld.na a, y; neg r, a; not r, a; eq r, a, 0"},
      {"int a = *y; int r = !(a < 1);", "ld.na a, y; ge r, a, 1"},
      {"int a = *y; int r = a == 1 && a;", "ld.na a, y; eq __t0, a, 1; ne __t1, a, 0; and r, __t0, __t1"},
      {"int a = *y; bool r = a || 0 <= a;",
       "ld.na a, y; ne __t0, a, 0; le __t1, 0, a; or __t2, __t0, __t1; ne r, __t2, 0"},
      {"int a = *y; bool r = a;", "ld.na a, y; ne r, a, 0"},
      {"int r = *y + *v;", "ld.na __t0, y; ld.na.vol __t1, v; add r, __t0, __t1"},
      {"int r = *y; r++; r -= 2; r *= 3; r <<= 1;", "ld.na r, y; add r, r, 1; sub r, r, 2; mul r, r, 3; shl r, r, 1"},
      {"int a = 5, r = -(a); *y = r;", "neg r, 5; st.na y, r"},
      {"int r = *y; long w = (long)r; *l = w;", "ld.na r, y; mov w, r; st.na l, w"},
      {"unsigned r = 0x10u; *y = r;", "st.na y, 16"},
      {"int r = *y; int __t0 = *v; *y = r + __t0;", "ld.na r, y; ld.na.vol __t0, v; add __t1, r, __t0; st.na y, __t1"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(C, Choices) {
  constexpr Translation kTable[] = {
      {"int r = *y ? 1 : 2;", "ld.na __t0, y; sel.ne r, __t0, 0, 1, 2"},
      {"int r = *y; int s = r == 1 ? r : r + 1;", "ld.na r, y; add __t0, r, 1; sel.eq s, r, 1, r, __t0"},
      {"int r = *y; *y = r < 2 ? r : 3;", "ld.na r, y; sel.lt __t0, r, 2, r, 3; st.na y, __t0"},
      {"int r = *y; int s = r ? 1 : r == 2 ? 3 : 4;", "ld.na r, y; sel.eq __t0, r, 2, 3, 4; sel.ne s, r, 0, 1, __t0"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(C, Pointers) {
  constexpr Translation kTable[] = {
      {"*p = y;", "st.na p, &y"},
      {"int* q = *p; *q = 1;", "ld.na q, p; st.na [q], 1"},
      {"**p = 1;", "ld.na __t0, p; st.na [__t0], 1"},
      {"int* q = y; int r = *q;", "ld.na r, y"},
      {"int a = *y; int r = *(y + (a ^ a));", "ld.na a, y; xor __t0, a, a; mul __t1, __t0, 4; ld.na r, y+__t1"},
      {"int a = *y; int r = *(int*)((char*)y + a);", "ld.na a, y; ld.na r, y+a"},
      {"int a = *y; int r = *(int*)((char*)l + a + 4);", "ld.na a, y; ld.na.s32 r, l+a+4"},
      {"int r = *((int*)l + 1);", "ld.na.s32 r, l+4"},
      {"int* q = *p; int r = *(q + 1); r = *(q - r);",
       "ld.na q, p; ld.na r, [q+4]; mul __t0, r, -4; add __t1, q, __t0; ld.na r, [__t1]"},
      {"int a = *y; long r = (long)x + a;", "ld.na a, y; add r, &x, a"},
      {"int r = atomic_load_explicit((atomic_int*)y, memory_order_relaxed);", "ld r, y"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(C, ControlFlow) {
  constexpr Translation kTable[] = {
      {"int r = *y; if (r) *x = 1;", "ld.na r, y; beq r, 0, L0; st.na x, 1; L0:"},
      {"if (*y == 1) { *x = 1; } else { *x = 2; }",
       "ld.na __t0, y; bne __t0, 1, L0; st.na x, 1; b L1; L0:; st.na x, 2; L1:"},
      {"int r = *y; if (r < 1) {} else if (r > 2) { *x = 1; }",
       "ld.na r, y; bge r, 1, L0; b L2; L0:; ble r, 2, L1; st.na x, 1; L1:; L2:"},
      {"int r = *y; while (r != 0) { r = *y; }", "L0:; ld.na r, y; bne r, 0, L0"},
      {"int r = *y; while (r != 0) r = *x;", "ld.na r, y; L0:; beq r, 0, L1; ld.na r, x; b L0; L1:"},
      {"int r = *y; while (r != 0) { if (*x) break; r = *y; }",
       "ld.na r, y; L0:; beq r, 0, L2; ld.na __t0, x; beq __t0, 0, L1; b L2; L1:; ld.na r, y; b L0; L2:"},
      {"int r; for (r = *y; r != 0; r = *y) {}", "L0:; ld.na r, y; bne r, 0, L0"},
      {"int r; do r = *y; while (r == 0);", "L0:; ld.na r, y; beq r, 0, L0"},
      {"for (int i = 0; i < 2; i++) { *y = i; }", "mov i, 0; L0:; bge i, 2, L1; st.na y, i; add i, i, 1; b L0; L1:"},
      {"for (;;) { if (*y) break; *x = 1; }", "L0:; ld.na __t0, y; beq __t0, 0, L1; b L2; L1:; st.na x, 1; b L0; L2:"},
      {"int r; do { r = *y; if (r) continue; *x = 1; } while (r);",
       "L0:; ld.na r, y; beq r, 0, L1; b L2; L1:; st.na x, 1; L2:; bne r, 0, L0"},
      {"int r; again: r = *y; if (r == 0) goto again;", "again:; ld.na r, y; beq r, 0, again"},
      {"goto L7; *x = 1; L7: ;", "b L0; st.na x, 1; L0:"},
      {"int r = *y; if (r) { goto done; } *x = 1; done:", "ld.na r, y; beq r, 0, L0; b done; L0:; st.na x, 1; done:"},
      {"int r = *y; if (r) return; *x = 1;", "ld.na r, y; beq r, 0, L0; b L1; L0:; st.na x, 1; L1:"},
      {"while (1) { *x = 1; }", "L0:; beq 1, 0, L1; st.na x, 1; b L0; L1:"},
      {"{ int t = 1; *x = t; } { int t = *y; *x = t; }", "mov t, 1; st.na x, t; ld.na t, y; st.na x, t"},
  };
  expect_translations(c11, Dialect::c11, kTable);
}

TEST(OpenCL, Constructs) {
  constexpr Translation kTable[] = {
      {"int r = atomic_load_explicit(x, memory_order_acquire, memory_scope_work_group);", "ld.acq.wg r, x"},
      {"int r = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);", "ld.acq r, x"},
      {"atomic_store_explicit(s, 1, memory_order_release, memory_scope_all_svm_devices);", "st.rel.sys s, 1"},
      {"atomic_store_explicit(s, 1, memory_order_release, memory_scope_sub_group);", "st.rel.sg s, 1"},
      {"atomic_store_explicit(s, 1, memory_order_relaxed, memory_scope_work_item);", "st.thread s, 1"},
      {"int r = atomic_fetch_min_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);",
       "atom.min.wg r, x, 1"},
      {"atomic_fetch_max(x, 1);", "atom.max.sc _, x, 1"},
      {"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);",
       "fence.sc.wg.semshared"},
      {"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_relaxed, memory_scope_device);",
       "fence.rlx.semglobal.semshared"},
      {"atomic_thread_fence(memory_order_release);", "fence.rel.semglobal.semshared"},
      {"mem_fence(CLK_GLOBAL_MEM_FENCE);", "fence.acqrel.wg.semglobal"},
      {"read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_LOCAL_MEM_FENCE);",
       "fence.acq.wg.semglobal; fence.rel.wg.semshared"},
      {"barrier(CLK_GLOBAL_MEM_FENCE);", "bar.semglobal"},
      {"B12: barrier(CLK_LOCAL_MEM_FENCE);", "bar.semshared 12"},
      {"work_group_barrier(CLK_LOCAL_MEM_FENCE);", "bar.semshared"},
      {"work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);", "bar.memdev.semglobal"},
      {"B2: work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);", "bar.memdev.semglobal 2"},
      {"sub_group_barrier(CLK_LOCAL_MEM_FENCE);", "bar.sg.memsg.semshared"},
      {"ulong r = *y; uint q = *y; *y = q;", "ld.na r, y; ld.na q, y; st.na y, q"},
      {"*(local int*)y = 1;", "st.na.shared y, 1"},
  };
  expect_translations(opencl, Dialect::opencl, kTable);
}

TEST(OpenCL, PlacesThreadsAndMemory) {
  const LitmusTest test = read_one(
      "OPENCL t\n{ [x] = 1; local int y; }\n"
      "P0@wg 0, dev 0 (global atomic_int* x) { *x = 1; }\n"
      "P1@wg 0, dev 0, sys 0 (global atomic_int* x, int* y) { *y = 1; }\n"
      "P2@sg 1, wg 1, dev 0 (local int* x) { *x = 2; }\nexists (x=2)\n");
  EXPECT_TRUE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::workgroup));
  EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{2}, Scope::workgroup));
  EXPECT_EQ(test[*test.find_location("x")].space, Space::global);
  EXPECT_EQ(test[*test.find_location("x")].initial, integer(1));
  EXPECT_EQ(test[*test.find_location("y")].space, Space::shared);
  // A thread that disagrees says so at each access.
  EXPECT_EQ(access_of(test.threads[0].instructions[0])->space, Space::none);
  EXPECT_EQ(access_of(test.threads[2].instructions[0])->space, Space::shared);
  base::Result<std::string> text = print(test, Dialect::opencl);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_EQ(read_one(*text), test) << *text;
}

TEST(C, InitialState) {
  const LitmusTest test = read_one(
      "C t\n{ [x] = 1; *y = 2; int z = 3; atomic_int w; int* p = x; long q = 4; 0:r0 = 5; int 1:r1 = -1; 1:r2 = &x }\n"
      "P0 (int* x, int* y, int* z) { *x = r0; r0 = *y; }\n"
      "P1 (int** p) { int* r3 = *p; int r1; r1 = r1 + 1; int* r2; r2 = r3; }\n"
      "exists (0:r0=1 /\\ *x=1 /\\ [y]=2 /\\ 1:r1=0 /\\ p=&x /\\ q=4 /\\ 1:r2=x)\n");
  const auto initial = [&](std::string_view name) { return test[*test.find_location(name)].initial; };
  EXPECT_EQ(initial("x"), integer(1));
  EXPECT_EQ(initial("y"), integer(2));
  EXPECT_EQ(initial("z"), integer(3));
  EXPECT_EQ(initial("p"), address_of(*test.find_location("x")));
  EXPECT_EQ(test[*test.find_location("q")].type, Type::s64);
  EXPECT_EQ(test.threads[0].registers[0].initial, integer(5));
  EXPECT_EQ(test.threads[1].registers[1].initial, integer(-1));
  base::Result<std::string> text = print(test, Dialect::c11);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_EQ(read_one(*text), test) << *text;
}

TEST(C, TypesAreUnderstood) {
  constexpr std::pair<std::string_view, Type> kTypes[] = {
      {"char", Type::s8},
      {"unsigned char", Type::u8},
      {"short int", Type::s16},
      {"atomic_ushort", Type::u16},
      {"signed", Type::s32},
      {"unsigned", Type::u32},
      {"const int", Type::s32},
      {"_Atomic(uint64_t)", Type::u64},
      {"_Atomic long", Type::s64},
      {"long long", Type::s64},
      {"unsigned long int", Type::u64},
      {"int volatile", Type::s32},
      {"intptr_t", Type::s64},
      {"atomic_uint32_t", Type::u32},
      {"int*", Type::s64},
  };
  for (const auto& [name, type] : kTypes) {
    const LitmusTest test = read_one(fmt::format("C t\n{{}}\nP0 ({}* x) {{ *x = 1; }}\n", name));
    ASSERT_EQ(test.locations.size(), 1u);
    EXPECT_EQ(test.locations[0].type, type) << name;
  }
}

TEST(C, AParameterCanBeObserved) {
  const LitmusTest test = read_one("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (0:x=0)\n");
  ASSERT_EQ(test.threads[0].registers.size(), 1u);
  EXPECT_EQ(test.threads[0].registers[0].initial, address_of(LocationId{0}));
  EXPECT_EQ(read_one(*print(test, Dialect::c11)), test);
}

TEST(C, TheConditionMayBeAbsent) {
  const LitmusTest test = read_one("C t\n{}\nP0 (int* x) { *x = 1; }\n");
  EXPECT_EQ(test.condition.quantifier, Condition::Quantifier::forall);
  EXPECT_EQ(test.condition.proposition.kind, Proposition::Kind::truth);
}

TEST(C, CommentsOfBothLanguages) {
  EXPECT_EQ(
      code_of(read_one("C t (* a *)\n(* b (* c *) *)\n{}\nvoid P0 (int* x) {\n// d\nif (*x == 1) { /* e */ *x = 2; }\n"
                       "}\n(* f *)\nexists (x=1)\n")),
      "ld.na __t0, x; bne __t0, 1, L0; st.na x, 2; L0:");
}

// The right side is evaluated only if it matters.
TEST(C, AccessesInConjunctions) {
  EXPECT_EQ(code_of(read_one("C t\n{}\nP0 (int* x, int* y) {\nwhile (*x == 1 && *y == 0) { }\n}\nexists (x=1)\n")),
            "L0:; ld.na __t0, x; eq __t1, __t0, 1; mov __t4, __t1; beq __t4, 0, L1; ld.na __t2, y; eq __t3, __t2, 0; "
            "mov __t4, __t3; L1:; beq __t4, 0, L2; b L0; L2:");
}

TEST(C, Refusals) {
  constexpr Translation kTable[] = {
      {"f(1);", "unknown function 'f'; expected an atomic function such as atomic_load_explicit, or a fence"},
      {"int r = 1 ? *y : 2;", "what '?:' chooses from must not access memory; write it as if and else"},
      {"int r = 1 ? 2 : *y;", "what '?:' chooses from must not access memory; write it as if and else"},
      {"int r = 1 ? 2;", "expected ':' and the other value, found ';'"},
      {"int r = *y / 2;", "division is not supported"},
      {"r = 1;", "'r' is not declared in this function"},
      {"int r = 1; int r = 2;", "'r' is declared twice"},
      {"{ int r = 1; } *x = r;", "'r' is declared in another block only"},
      {"{ int r = 1; } { long r = 1; }",
       "'r' is declared with another type in another block; expected one type for each name"},
      {"x = 1;", "'x' is a pointer; write '*x' for what it points to"},
      {"int r = 1; *r = 1;", "expected a pointer here"},
      {"atomic_store(1, 1);", "expected a pointer here"},
      {"*x = atomic_store(y, 1);", "expected a value; this call gives none"},
      {"int r = &x;",
       "an address is taken only of an element such as x[1], and of a local variable as the expected value of a "
       "compare-exchange; parameters are pointers already"},
      {"barrier(CLK_GLOBAL_MEM_FENCE);", "C11 has no barriers; is this an OPENCL test?"},
      {"atomic_fetch_max(x, 1);", "C11 has no minimum and maximum; is this an OPENCL test?"},
      {"int r = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);",
       "C11 has no memory scopes; expected ')' after the order. Is this an OPENCL test?"},
      {"int r = atomic_load_explicit(x, acquire);",
       "unknown memory order 'acquire'; expected memory_order_relaxed, memory_order_consume, memory_order_acquire, "
       "memory_order_release, memory_order_acq_rel or memory_order_seq_cst"},
      {"int r = atomic_load_explicit(x, memory_order_release);",
       "a load cannot be memory_order_release; expected relaxed, consume, acquire or seq_cst"},
      {"atomic_store_explicit(x, 1, memory_order_acquire);",
       "a store cannot be memory_order_acquire; expected relaxed, release or seq_cst"},
      {"goto end;", "there is no label 'end' in this function"},
      {"break;", "'break' is not in a loop"},
      {"switch (1) {}", "switch is not supported; write it as if and else"},
      {"int r = y[1];", "an access of 4 bytes at offset 4 does not lie within 'y', which has type s32"},
      {"int r = 1; int s = r[1];", "expected a pointer before '['"},
      {"int r = y[x];", "expected a number as index, found a pointer"},
      {"int r[2];", "local arrays are not supported; expected one variable for each element"},
      {"int e = 0; e = atomic_compare_exchange_strong(x, &e, 1);",
       "the result and the expected value of a compare-exchange must be different variables"},
      {"*y = 1", "expected ';' at the end of the statement, found '}'"},
      {"__int128_t r;", "types of 128 bits are not supported"},
      {"int r = 017;", "octal numbers are not supported; expected a decimal number or 0x and hexadecimal digits"},
  };
  for (const Translation& row : kTable) EXPECT_EQ(first_error(c11(row.source)), row.code) << row.source;
}

TEST(C, RefusedTests) {
  constexpr Translation kTable[] = {
      {"C t\n{}\nP0 (int* x) { *x = 1; }\nP1 (long* x) { *x = 1; }\n",
       "'x' points to int64_t here and to int elsewhere"},
      {"C t\n{ long x; }\nP0 (int* x) { *x = 1; }\n", "'x' points to int here and to int64_t elsewhere"},
      {"C t\n{}\nP0 (int x) { }\n", "expected a pointer parameter; write '*' before 'x'"},
      {"C t\n{}\nP1 (int* x) { }\n", "expected the function of thread P0, found 'P1'"},
      {"C t\n{}\nP0@wg 0 (int* x) { }\n", "C11 has no scopes to place a thread in; is this an OPENCL test?"},
      {"C t\n{}\nP0 (int* x) { *x = 1;\n", "this '{' is not closed"},
      {"C t\n{}\nexists (x=1)\n",
       "expected the program: a function such as 'P0 (atomic_int* x) { ... }', found 'exists'"},
      {"C t\n{ 1:r0 = 1; }\nP0 (int* x) { }\n", "the initial state mentions thread 1, but the program has only 1"},
      {"OPENCL t\n{}\nP0 (global atomic_char* x) { atomic_store(x, 1); }\n",
       "OpenCL has atomics of 32 and 64 bits only"},
      {"OPENCL t\n{}\nP0 (global atomic_int* x) { int r = atomic_load_explicit(x, memory_order_consume); }\n",
       "OpenCL has no memory_order_consume"},
      {"OPENCL t\n{}\nP0 (int* x) { B1: barrier(CLK_LOCAL_MEM_FENCE); goto B1; }\n",
       "'B1' names a barrier and cannot be the target of goto"},
      {"OPENCL t\n{}\nP0 (int* x) { barrier(0); }\n", "expected a flag such as CLK_GLOBAL_MEM_FENCE, found '0'"},
  };
  for (const Translation& row : kTable) EXPECT_EQ(first_error(std::string(row.source)), row.code) << row.source;
}

TEST(C, AllMistakesAtOnce) {
  base::Result<std::vector<LitmusTest>> tests = read(
      "C t\n{}\nP0 (int* x) {\n  int r0 = look(*x);\n  if (r9) { foo(); *x = 1; }\n  r0 = r0 / 2;\n}\nexists "
      "(0:r7=1)\n");
  ASSERT_FALSE(tests.ok());
  ASSERT_EQ(tests.errors().size(), 4u) << base::render(tests.errors());
  EXPECT_EQ(tests.errors()[3].message, "thread 0 has no register 'r7'");
}

TEST(C, HostileNestingEndsInAMistake) {
  const std::string deep(100000, '(');
  EXPECT_EQ(first_error(c11("int r = " + deep)), "the expression is nested more than 200 deep");
  EXPECT_EQ(first_error(c11(std::string(100000, '{'))), "the program is nested more than 200 deep");
  EXPECT_EQ(first_error(c11("*(y + 9223372036854775807) = 1;")), "this pointer is too far from where it started");
}

}  // namespace
}  // namespace weakspot::litmus::read_c_test
