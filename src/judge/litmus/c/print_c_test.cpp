// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/text.h"
#include "support/read_one.h"

namespace weakspot::litmus::print_c_test {
namespace {

using tests::read_one;

// A test of one thread in the canonical form.
LitmusTest one_thread(std::string_view code, std::string_view head = "") {
  return read_one("weakspot t\n" + std::string(head) + "P0 ;\n" + std::string(code) + " ;\nexists (true)\n");
}

std::string refusal(const LitmusTest& test, Dialect dialect) {
  base::Result<std::string> text = print(test, dialect);
  return text ? "no refusal" : text.errors().front().message;
}

// Checks that the printed test reads back as the adapted one; returns the text.
std::string round_trip(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  EXPECT_TRUE(adapted.ok()) << base::render(adapted.errors());
  if (!adapted) return {};
  EXPECT_EQ(*adapt(*adapted, dialect), *adapted);
  const std::string text = *print(*adapted, dialect);
  EXPECT_EQ(read_one(text), *adapted) << text;
  return text;
}

TEST(PrintC, MessagePassing) {
  const LitmusTest test = read_one(
      "weakspot MP\n\"about\"\nExpect=sc forbidden\n{ y = 2; }\nP0 | P1 ;\nst.na x, 1 | ld.acq r0, y ;\n"
      "st.rel y, 1 | bne r0, 1, L0 ;\n | ld.na r1, x ;\n | L0: ;\nfilter (1:r0=1)\nlocations [x;]\n"
      "~exists (1:r1=0)\n");
  EXPECT_EQ(round_trip(test, Dialect::c11),
            "C MP\n\"about\"\nExpect=sc forbidden\n{ y = 2; }\n\n"
            "P0 (int* x, atomic_int* y) {\n  *x = 1;\n  atomic_store_explicit(y, 1, memory_order_release);\n}\n\n"
            "P1 (int* x, atomic_int* y) {\n  int r1;\n  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
            "  if (r0 == 1) {\n    r1 = *x;\n  }\n}\n\n"
            "filter (1:r0=1)\nlocations [x;]\n~exists (1:r1=0)\n");
}

TEST(PrintC, OpenCL) {
  const LitmusTest test = read_one(
      "weakspot t\n{ shared y; }\nP0 | P1 ;\nst.rel.wg x, 1 | fence.acq.wg ;\nbar.semshared 3 | atom.max.sys _, y, 1 "
      ";\n"
      "scopes (dev (wg P0)) (dev (wg P1))\nexists (x=1)\n");
  EXPECT_EQ(round_trip(test, Dialect::opencl),
            "OPENCL t\n{ }\n\n"
            "P0@wg 0, dev 0 (atomic_int* x) {\n"
            "  atomic_store_explicit(x, 1, memory_order_release, memory_scope_work_group);\n"
            "  B3: barrier(CLK_LOCAL_MEM_FENCE);\n}\n\n"
            "P1@wg 1, dev 1 (local atomic_int* y) {\n"
            "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire, "
            "memory_scope_work_group);\n"
            "  atomic_fetch_max_explicit(y, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n}\n\n"
            "exists (x=1)\n");
}

struct Case {
  std::string_view code;
  std::string_view head = "";
};

TEST(PrintC, GenericTestsComeBack) {
  constexpr Case kCases[] = {
      {"atom.cas r0, x, 0, 1"},
      {"atom.cas _, x, 0, 1, r1"},
      {"ld r0, y ;\natom.cas.weak r0, x, 1, r0, r1"},
      {"ld r0, y ;\natom.cas.acqrel.failacq r0, [r0], 1, 2, r1"},
      {"atom.cas r0, x, 0, 1, r0"},
      {"@r0 st x, 1 ;\n@!r1 b end ;\nld r0, x ;\nend:"},
      {"L5: ;\nld r0, x ;\nbeq r0, 0, L5 ;\nL3: ;\nb L3"},
      {"ld r0, x ;\nbeq r0, 0, while ;\nst x, 1 ;\nwhile:"},
      {"ld r0, x ;\nbne r0, 0, A ;\nbne r0, 1, B ;\nst x, 1 ;\nA: ;\nst x, 2 ;\nB:"},
      {"setp: ;\nld r0, x ;\nneg r1, 5 ;\nnot r2, 7 ;\nadd r3, &x, r0 ;\nst [r3], r1 ;\nst x, r2"},
      {"ld r0, x ;\nxor r1, r0, r0 ;\nld r2, y+r1 ;\nst.s16 y+r1+2, 1"},
      {"ld r0, y ;\nst x, r0", "{ 0:x = 4; }\n"},
      {"ld int, y ;\nld x, x ;\nst x, int"},
      {"ld.s8 r0, x ;\nst.na.vol.u16 x, 1 ;\nst.na x, 2", "{ u64 x = 7; s64 z = &x; }\n"},
      {"eq p, r0, 1 ;\nnot p, p ;\n@p st x, 1", "{ 0:pred p; 0:b32 r0 = 1; b64 x; }\n"},
      {"fence.rlx ;\nfence.acqrel"},
      {"st x, &y ;\nst x, &y+4", "{ s64 x; s64 y; }\n"},
      {"ld r0, [r5] ;\nld r5, y", "{ 0:s64 r5 = &x; s64 y; }\n"},
      {""},
  };
  for (const Case& row : kCases) {
    round_trip(one_thread(row.code, row.head), Dialect::c11);
    round_trip(one_thread(row.code, row.head),
               row.code.find("s8") == std::string_view::npos && row.code.find("s16") == std::string_view::npos
                   ? Dialect::opencl
                   : Dialect::c11);
  }
}

TEST(PrintC, CompareExchangeKeepsItsMeaning) {
  const auto code = [](std::string_view text) {
    std::string cells;
    const LitmusTest adapted = *adapt(one_thread(text), Dialect::c11);
    const std::vector<std::vector<std::string>> columns = canonical_columns(adapted);
    for (const std::string& cell : columns[0]) cells += cell + "; ";
    return cells;
  };
  EXPECT_EQ(code("atom.cas r0, x, 0, 1, r1"), "P0; mov r0, 0; atom.cas r0, x, r0, 1, r1; ");
  EXPECT_EQ(code("atom.cas _, x, 0, 1"), "P0; mov __t0, 0; atom.cas __t0, x, __t0, 1; ");
  EXPECT_EQ(code("ld r0, y ;\natom.cas r0, x, 0, r0"),
            "P0; ld r0, y; mov __t0, 0; atom.cas __t0, x, __t0, r0; mov r0, __t0; ");
}

TEST(PrintC, Refusals) {
  struct Refusal {
    std::string_view code, head, c11, opencl;
  };
  constexpr Refusal kTable[] = {
      {"st.wg x, 1", "", "C11 has no scope 'wg'", ""},
      {"st.cluster x, 1", "", "C11 has no scope 'cluster'", "OpenCL has no scope 'cluster'"},
      {"fence.sc.sys", "", "C11 has no scope 'sys'", ""},
      {"mfence", "", "C11 has no fence of kind 'mfence'", "OpenCL has no fence of kind 'mfence'"},
      {"dmb.ish", "", "C11 has no fence of kind 'dmb'", "OpenCL has no fence of kind 'dmb'"},
      {"membar.wg", "", "C11 has no fence of kind 'membar'", "OpenCL has no fence of kind 'membar'"},
      {"bar.semglobal", "", "C11 has no barriers", ""},
      {"bar", "", "C11 has no barriers", "a barrier does not say which memory it orders, as OpenCL requires"},
      {"bar", "Arch=ptx\n", "C11 has no barriers", ""},
      {"bar.arrive.semglobal", "", "C11 has no barriers",
       "OpenCL has no barriers that wait for less than a whole workgroup"},
      {"ld.ex r0, x", "", "C11 has no 'ex' accesses", "OpenCL has no 'ex' accesses"},
      {"ld.acqpc r0, x", "", "C11 has no order 'acqpc'", "OpenCL has no order 'acqpc'"},
      {"ld.con r0, x", "", "", "OpenCL has no order 'con'"},
      {"ld.vol r0, x", "", "an atomic access cannot be volatile here", "an atomic access cannot be volatile here"},
      {"ld.cg r0, x", "", "C11 has no cache operator 'cg'", "OpenCL has no cache operator 'cg'"},
      {"ld.texture r0, x", "", "C11 has no texture proxy", "OpenCL has no texture proxy"},
      {"atom.inc r0, x, 5", "", "C11 has no read-modify-write 'inc'", "OpenCL has no read-modify-write 'inc'"},
      {"atom.min r0, x, 5", "", "C11 has no read-modify-write 'min'", ""},
      {"ld r0, x", "{ shared x; }\n", "C11 has no memory space 'shared' for location 'x'", ""},
      {"ld r0, x", "{ global x; }\n", "", ""},
      {"ld.shared r0, x", "", "C11 has no memory space 'shared' for an access",
       "an access names a memory space other than its location's"},
      {"ld.global r0, x", "", "", ""},
      {"ld r0, int", "", "'int' cannot be a parameter name in C11", "'int' cannot be a parameter name in OpenCL"},
      {"ld r0, x", "{ x aliases y; }\n", "C11 has no aliases such as location 'x'",
       "OpenCL has no aliases such as location 'x'"},
      {"st.u8 x, 1", "{ u8 x; }\n", "", "OpenCL has no atomic accesses of fewer than 32 bits"},
      {"fence.acq", "Arch=vulkan\n", "C11 has no acquire or release that covers no memory",
       "OpenCL has no acquire or release that covers no memory"},
  };
  for (const Refusal& row : kTable) {
    const LitmusTest test = one_thread(row.code, row.head);
    const auto expected = [](std::string_view dialect, std::string_view reason) {
      return reason.empty() ? "no refusal"
                            : "t cannot be written as " + std::string(dialect) + ": " + std::string(reason);
    };
    EXPECT_EQ(refusal(test, Dialect::c11), expected("C11", row.c11)) << row.code;
    EXPECT_EQ(refusal(test, Dialect::opencl), expected("OpenCL", row.opencl)) << row.code;
  }
}

TEST(PrintC, ScopeTrees) {
  const auto placed = [](std::string_view tree) {
    return read_one("weakspot t\nP0 | P1 ;\nst x, 1 | st x, 2 ;\n" + std::string(tree) + "\nexists (true)\n");
  };
  EXPECT_EQ(refusal(placed("scopes (wg P0 P1)"), Dialect::c11),
            "t cannot be written as C11: C11 has no scopes to place threads in");
  EXPECT_EQ(refusal(placed("scopes (cluster (wg P0) (wg P1))"), Dialect::opencl),
            "t cannot be written as OpenCL: the scope trees of OpenCL have only subgroup, workgroup and device");
  const std::string text = round_trip(placed("scopes (wg (sg P0 P1))"), Dialect::opencl);
  EXPECT_NE(text.find("P1@sg 0, wg 0, dev 0 ("), std::string::npos) << text;
}

}  // namespace
}  // namespace weakspot::litmus::print_c_test
