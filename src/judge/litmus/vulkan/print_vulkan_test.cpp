// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus::print_vulkan_test {
namespace {

using tests::read_one;

std::string printed(const LitmusTest& test) {
  base::Result<std::string> text = print(test, Dialect::vulkan);
  return text ? *text : text.errors()[0].message;
}

TEST(PrintVulkan, ItsOwnTestsComeBack) {
  const std::string text =
      "Vulkan all\n"
      "\"a remark\"\n"
      "{ x=0; y=2; z aliases x; P1:r1=3; P1:r9=1; }\n"
      "{ ssw 0 1; }\n"
      " P0@sg 0, wg 0, qf 0                        | P1@sg 1, wg 0, qf 0                      ;\n"
      " st.av.dv.sc0 x, 1                          | ld.atom.acq.wg.sc1.semsc0.semvis r0, y   ;\n"
      " st.nonpriv.sc1 x, 2                        | ld.vis.qf.sc0 r1, z                      ;\n"
      " st.atom.rel.wg.sc1.semsc0.semsc3.semav y, 1 | rmw.atom.acq_rel.dv.sc0.semsc0.xor r2, x, r1 ;\n"
      " membar.acq_rel.wg.semsc0.semav.semvis      | cbar.acq.wg.semsc2 1, r1, 3              ;\n"
      " avdevice                                   | beq r1, 3, LC0                           ;\n"
      " st.sc2 y, 7                                | mul r3, r2, 2                            ;\n"
      "                                            | LC0:                                     ;\n"
      "filter (P1:r0 == 1)\n"
      "forall (P1:r9 == 1 \\/ x != 3)\n";
  const LitmusTest test = read_one(text);
  base::Result<LitmusTest> adapted = adapt(test, Dialect::vulkan);
  ASSERT_TRUE(adapted);
  EXPECT_EQ(*adapted, test);
  EXPECT_EQ(read_one(printed(test)), test) << printed(test);
}

// A release from another dialect covers all of memory and makes it available, which is its meaning there.
TEST(PrintVulkan, TestsOfOtherDialects) {
  const LitmusTest test = read_one(
      "weakspot MP\n"
      "{ shared y; }\n"
      " P0              | P1                ;\n"
      " st.na x, 1      | ld.acq a, y       ;\n"
      " fence.acqrel.wg | bar 2             ;\n"
      " st.rel y, 1     | atom.exch _, y, 0 ;\n"
      "                 | mov b, a          ;\n"
      "                 | @b ld.na c, x     ;\n"
      "scopes (wg P0 P1)\n"
      "exists (1:a=1 /\\ 1:c=0)\n");
  EXPECT_EQ(printed(test),
            "Vulkan MP\n"
            "{ x=0; y=0; }\n"
            " P0@sg 0, wg 0, qf 0                          | P1@sg 1, wg 0, qf 0                           ;\n"
            " st.nonpriv.sc0 x, 1                          | ld.atom.acq.dv.sc1.semsc0.semsc1.semvis r0, y ;\n"
            " membar.acq_rel.wg.semsc0.semsc1.semav.semvis | cbar.acq_rel.wg.semsc0.semsc1.semav.semvis 2  ;\n"
            " st.atom.rel.dv.sc1.semsc0.semsc1.semav y, 1  | rmw.atom.dv.sc1 r3, y, 0                      ;\n"
            "                                              | add r1, r0, 0                                 ;\n"
            "                                              | beq r1, 0, LC10                               ;\n"
            "                                              | ld.nonpriv.sc0 r2, x                          ;\n"
            "                                              | LC10:                                         ;\n"
            "exists (1:r0=1 /\\ 1:r2=0)\n");
  EXPECT_EQ(read_one(printed(test)), *adapt(test, Dialect::vulkan));
}

TEST(PrintVulkan, Refusals) {
  const struct {
    const char* program;
    const char* reason;
  } kCases[] = {
      {" P0 ;\n st.sc x, 1 ;\n", "the Vulkan dialect has no sequentially consistent order"},
      {" P0 ;\n fence.rlx ;\n", "a fence must be an acquire, a release or both"},
      {" P0 ;\n membar ;\n", "the Vulkan dialect has no fences without an order"},
      {" P0 ;\n ld.acqpc r0, x ;\n", "the Vulkan dialect has no order 'acqpc'"},
      {" P0 ;\n ld.sys r0, x ;\n", "the Vulkan dialect has no scope 'sys'"},
      {" P0 ;\n ld.vol r0, x ;\n", "the Vulkan dialect has no 'vol' accesses"},
      {" P0 ;\n ld.cg r0, x ;\n", "the Vulkan dialect has no cache operators"},
      {" P0 ;\n ld.texture r0, x ;\n", "the Vulkan dialect has no proxies"},
      {" P0 ;\n ld.const r0, x ;\n", "the Vulkan dialect has no constant memory"},
      {" P0 ;\n ld r0, x ;\n ld r1, y+r0 ;\n", "the Vulkan dialect has no computed addresses"},
      {"{ u64 x; }\n P0 ;\n ld r0, x ;\n", "the Vulkan dialect has no type u64"},
      {" P0 ;\n atom.cas r0, x, 0, 1 ;\n", "the Vulkan dialect has no atomic 'cas'"},
      {" P0 ;\n ld r0, x ;\n shl r1, r0, 2 ;\n", "the Vulkan dialect has no instruction 'shl'"},
      {" P0 ;\n bar.arrive 1 ;\n", "the Vulkan dialect has no barriers that only arrive"},
      {" P0 ;\n bar.cluster 1 ;\n", "the Vulkan dialect has no barriers other than those of a workgroup"},
      {" P0 ;\n bar 1, _, 3 ;\n", "only a named barrier can have a quorum"},
      {"{ p = &x; }\n P0 ;\n st p, &x ;\n", "the Vulkan dialect has no addresses as operands"},
      {" P0 | P1 ;\n st x, 1 | ;\nscopes (dev P0) (dev P1)\n", "a Vulkan test runs on one device"},
      {" P0 | P1 ;\n st x, 1 | ;\nscopes (cluster (wg P0) (wg P1))\n",
       "the Vulkan dialect has no clusters of workgroups"},
      {"{ x; y @ texture aliases x; }\n P0 ;\n", "the Vulkan dialect has no texture proxy"},
  };
  for (const auto& [program, reason] : kCases) {
    const LitmusTest test = read_one(std::string("weakspot t\n") + program + "exists (true)\n");
    EXPECT_EQ(printed(test), std::string("t cannot be written as Vulkan: ") + reason) << program;
  }
}

}  // namespace
}  // namespace weakspot::litmus::print_vulkan_test
