// SPDX-License-Identifier: MIT
#include "gen/build.h"

#include <gtest/gtest.h>

#include "gen/name.h"
#include "gen/parse_cycle.h"
#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "support/program_of.h"
#include "support/read_one.h"

namespace weakspot::gen::build_test {
namespace {

litmus::LitmusTest test_of(const std::string& text, const TestOptions& options = {}) {
  base::Result<Cycle> cycle = parse_cycle(text);
  EXPECT_TRUE(cycle.ok()) << base::render(cycle.errors());
  if (!cycle) return {};
  base::Result<litmus::LitmusTest> test = to_test(*cycle, options);
  EXPECT_TRUE(test.ok()) << base::render(test.errors());
  return test ? *test : litmus::LitmusTest{};
}

// Everything after the header: program, scopes, condition.
std::string body(litmus::LitmusTest test) {
  test.info.clear();
  const std::string text = *litmus::print(test, litmus::Dialect::canonical);
  return text.substr(text.find('\n') + 1);
}

struct Case {
  const char* cycle;
  const char* name;
  const char* body;
};

// Written by hand: what the field calls by these names.
const Case kShapes[] = {
    {"Rfe PodRR Fre PodWW", "MP",
     " P0      | P1       ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    {"PodRW Rfe PodRW Rfe", "LB",
     " P0       | P1       ;\n ld r0, x | ld r0, y ;\n st y, 1  | st x, 1  ;\nexists (0:r0=1 /\\ 1:r0=1)\n"},
    {"Fre PodWR Fre PodWR", "SB",
     " P0       | P1       ;\n st x, 1  | st y, 1  ;\n ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n"},
    {"PodWW Rfe PodRW Coe", "S",
     " P0      | P1       ;\n st x, 2 | ld r0, y ;\n st y, 1 | st x, 1  ;\nexists (1:r0=1 /\\ x=2)\n"},
    {"PodWW Wse PodWR Fre", "R",
     " P0      | P1       ;\n st x, 1 | st y, 2  ;\n st y, 1 | ld r0, x ;\nexists (1:r0=0 /\\ y=2)\n"},
    {"PodWW Coe PodWW Coe", "2+2W",
     " P0      | P1      ;\n st x, 2 | st y, 2 ;\n st y, 1 | st x, 1 ;\nexists (x=2 /\\ y=2)\n"},
    {"Rfe PosRR Fre", "CoRR",
     " P0      | P1       ;\n st x, 1 | ld r0, x ;\n         | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    {"Rfe PosRW Coe", "CoRW",
     " P0      | P1       ;\n st x, 2 | ld r0, x ;\n         | st x, 1  ;\nexists (1:r0=2 /\\ x=2)\n"},
    {"Coe PosWW Coe", "CoWW",
     " P0      | P1      | P2       ;\n st x, 2 | st x, 3 | ld r0, x ;\n         | st x, 1 | ld r1, x ;\n"
     "exists (2:r0=1 /\\ 2:r1=2 /\\ x=3)\n"},
    {"Rfe PodRR Fre Rfe PodRR Fre", "IRIW",
     " P0      | P1       | P2      | P3       ;\n st x, 1 | ld r0, x | st y, 1 | ld r0, y ;\n"
     "         | ld r1, y |         | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n"},
    {"Rfe DpDatadW Rfe DpCtrldW", "LB+data+ctrl",
     " P0              | P1             ;\n ld r0, x        | ld r0, y       ;\n"
     " and r1, r0, 128 | beq r0, 0, end ;\n add r2, r1, 1   | st x, 1        ;\n st y, r2        | end:           ;\n"
     "exists (0:r0=1 /\\ 1:r0=1)\n"},
    {"Fence.sc.devdWW Rfe DpAddrdR Fre", "MP+fence.sc+addr",
     " P0       | P1              ;\n st x, 1  | ld r0, y        ;\n fence.sc | and r1, r0, 128 ;\n"
     " st y, 1  | ld r2, x+r1     ;\nexists (1:r0=1 /\\ 1:r2=0)\n"},
    {"PodWW Rel Rfe Acq PodRR Fre", "MP+rel+acq",
     " P0          | P1           ;\n st x, 1     | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x     ;\n"
     "exists (1:r0=1 /\\ 1:r1=0)\n"},
    {"Fre Rfi PodRR Fre PodWR", "SB+po+rfi-po",
     " P0       | P1       ;\n st x, 1  | st y, 1  ;\n ld r0, y | ld r0, y ;\n          | ld r1, x ;\n"
     "exists (0:r0=0 /\\ 1:r0=1 /\\ 1:r1=0)\n"},
    {"Membar.ctadWW Rfe.wg Membar.gldRR Fre.wg", "MP+membar.cta+membar.gl+in.wg",
     " P0        | P1       ;\n st x, 1   | ld r0, y ;\n membar.wg | membar   ;\n st y, 1   | ld r1, x ;\n"
     "scopes (wg P0 P1)\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    {"Shared PodWW Global Rfe.wg PodRR Fre.wg", "MP+in.wg+mem.shared.global",
     "{ shared x; global y; }\n P0      | P1       ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
     "scopes (wg P0 P1)\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    {"Rfe Rmw Rfe PodRR Fre PodWW", "ISA2+po+rmw+po",
     " P0      | P1                 | P2       ;\n st x, 1 | atom.exch r0, y, 2 | ld r0, y ;\n"
     " st y, 1 |                    | ld r1, x ;\nexists (1:r0=1 /\\ 2:r0=2 /\\ 2:r1=0)\n"},
    {"BardWW Rfe.wg BardRR Fre.wg", "MP+bars+in.wg",
     " P0      | P1       ;\n st x, 1 | ld r0, y ;\n bar     | bar      ;\n st y, 1 | ld r1, x ;\n"
     "scopes (wg P0 P1)\nexists (1:r0=1 /\\ 1:r1=0)\n"},
    // Four writes of x are shown by an observer and the final value, two of y by the final value alone.
    {"Coe PodWW Coe PodWW Rfe PodRW Coe Coe", "W+W+WW+WW+RW",
     " P0      | P1      | P2      | P3      | P4       | P5       ;\n"
     " st x, 2 | st x, 3 | st x, 4 | st y, 2 | ld r0, z | ld r0, x ;\n"
     "         |         | st y, 1 | st z, 1 | st x, 1  | ld r1, x ;\n"
     "         |         |         |         |          | ld r2, x ;\n"
     "exists (4:r0=1 /\\ 5:r0=1 /\\ 5:r1=2 /\\ 5:r2=3 /\\ x=4 /\\ y=2)\n"},
};

TEST(Build, ShapesAreTheOnesTheFieldKnows) {
  for (const Case& expected : kShapes) {
    const litmus::LitmusTest test = test_of(expected.cycle);
    EXPECT_EQ(test.name, expected.name) << expected.cycle;
    EXPECT_EQ(body(test), expected.body) << expected.cycle;
  }
}

TEST(Build, TestsAreInNormalFormAndReadBack) {
  for (const Case& expected : kShapes) {
    const litmus::LitmusTest test = test_of(expected.cycle);
    litmus::LitmusTest normal = test;
    litmus::normalize(normal);
    EXPECT_EQ(normal, test) << expected.cycle;
    EXPECT_TRUE(litmus::validate(test).empty()) << expected.cycle;
    const std::string text = *litmus::print(test, litmus::Dialect::canonical);
    EXPECT_EQ(tests::read_one(text), test) << text;
  }
}

TEST(Build, NamesReadBack) {
  for (const Case& expected : kShapes) {
    base::Result<Cycle> cycle = cycle_named(expected.name);
    ASSERT_TRUE(cycle.ok()) << base::render(cycle.errors());
    EXPECT_EQ(to_string(*cycle), to_string(canonical(*parse_cycle(expected.cycle)))) << expected.name;
    EXPECT_EQ(name_of(*cycle), expected.name);
  }
}

// ---- asynchronous copies, and CPUs ----

TEST(Build, CopiesAreIssuedAndWaitedFor) {
  const litmus::LitmusTest test = test_of("Bulk Wait.bulkdWW Rel Rfe Acq PodRR Fre");
  EXPECT_EQ(litmus::Arch::ptx, test.arch);
  EXPECT_EQ("copy.bulk x, x0; commit.bulk; wait.bulk 0; st.rel y, 1 | ld.acq r0, y; ld r1, x", tests::program_of(test));
  EXPECT_EQ(litmus::Space::shared, test[*test.find_location("x0")].space);
  EXPECT_EQ(1, test[*test.find_location("x0")].initial.number);
}

TEST(Build, CopiesToSharedMemoryAreCounted) {
  const litmus::LitmusTest test = test_of("Shared.bulk Wait.bulkdWW Rfe.wg PodRR Fre.wg");
  EXPECT_EQ("mbar.arrive _, b0, 1, 4; copy.bulk x, x0, b0; mbar.wait b0, 0; st y, 1 | ld r0, y; ld r1, x",
            tests::program_of(test));
}

TEST(Build, CopiedReadsAreAskedForInMemory) {
  const litmus::LitmusTest test = test_of("Fence.proxy.asyncdWR Bulk Fre PodWR Fre");
  EXPECT_NE(std::string::npos, body(test).find("fence.proxy.async")) << body(test);
  EXPECT_NE(std::string::npos, body(test).find("y1=0")) << body(test);
}

TEST(Build, ProductsComeWithTheirFence) {
  const litmus::LitmusTest test = test_of("PodWW Rfe.wg Fence.proxy.asyncdRR Shared.wgmma Fre.wg");
  EXPECT_EQ("st x, 1; st y, 1 | ld r0, y; fence.proxy.async; wgfence; copy.wgmma x3, x; commit.wgmma",
            tests::program_of(test));
}

TEST(Build, ThreadsOnACpuHaveTheSystemInCommon) {
  const litmus::LitmusTest test = test_of("PodWW Rfe.sys Cpu PodRR Fre.sys");
  EXPECT_EQ("st.sys x, 1; st.sys y, 1 | ld r0, y; ld r1, x", tests::program_of(test));
  ASSERT_TRUE(test.scopes);
  EXPECT_FALSE(test.scopes->placements[0].cpu);
  EXPECT_TRUE(test.scopes->placements[1].cpu);
}

TEST(Build, CopiesAndCpusHaveLimits) {
  const auto mistakes = [](const char* text) {
    const base::Result<Cycle> cycle = parse_cycle(text);
    return cycle ? std::string() : base::render(cycle.errors());
  };
  EXPECT_NE(std::string::npos, mistakes("Bulk.rel PodWW Rfe PodRR Fre").find("an asynchronous copy has no order"));
  EXPECT_NE(std::string::npos, mistakes("PodWW Rfe PodRR Wgmma Fre").find("a product reads a location in shared"));
  EXPECT_NE(std::string::npos, mistakes("PodWW Rfe Bulk DpAddrdR Fre").find("nothing depends on an asynchronous copy"));
  EXPECT_NE(std::string::npos, mistakes("PodWW Rfe Cpu PodRR Fre").find("expected .sys on the edge"));
}

// Names and cycles are read back.
TEST(Build, NamesSayWhoCopiesAndWaits) {
  for (const char* text :
       {"Bulk Wait.bulkdWW Rfe PodRR Fre", "PodWW Rfe.sys Cpu PodRR Fre.sys", "Fence.proxy.asyncdWR Bulk Fre PodWR Fre",
        "Wait.wgmmadRW Rfe PodRW Rfe", "Wait.bulk.readdRW Rfe PodRW Rfe"}) {
    const base::Result<Cycle> cycle = parse_cycle(text);
    ASSERT_TRUE(cycle.ok()) << base::render(cycle.errors());
    const base::Result<Cycle> named = cycle_named(name_of(*cycle));
    ASSERT_TRUE(named.ok()) << name_of(*cycle) << base::render(named.errors());
    EXPECT_EQ(to_string(canonical(*cycle)), to_string(canonical(*named)));
  }
}

}  // namespace
}  // namespace weakspot::gen::build_test
