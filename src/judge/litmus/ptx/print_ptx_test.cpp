// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus::print_ptx_test {
namespace {

using tests::read_one;

std::string refusal(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  return adapted ? "" : adapted.errors().front().message;
}

// Prints and reads back; returns the text.
std::string round_trip(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  EXPECT_TRUE(adapted) << base::render(adapted.errors());
  if (!adapted) return {};
  const std::string text = *print(test, dialect);
  EXPECT_EQ(read_one(text), *adapted) << text;
  EXPECT_EQ(*print(*adapted, dialect), text) << "adapting twice changes it again";
  return text;
}

// A generic test of one thread.
LitmusTest generic(const std::string& line, const std::string& init = "") {
  return read_one("weakspot t\n" + init + " P0 ;\n " + line + " ;\nexists (true)\n");
}

TEST(PrintPtx, MessagePassing) {
  const LitmusTest test = read_one(
      "weakspot MP\n\"message passing\"\nExpect=ptx forbidden\n{ y = 2; }\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n"
      " fence.sc | ld.wg r1, x ;\n st.rel.sys y, 1 | atom.exch.acqrel _, x, 3 ;\nscopes (wg P0 P1)\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(round_trip(test, Dialect::ptx),
            "PTX MP\n\"message passing\"\nExpect=ptx forbidden\n{\n x = 0; y = 2;\n}\n"
            " P0@cta 0,gpu 0      | P1@cta 0,gpu 0                ;\n"
            " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y          ;\n"
            " fence.sc.gpu        | ld.relaxed.cta r1, x          ;\n"
            " st.release.sys y, 1 | atom.acq_rel.gpu.exch _, x, 3 ;\n"
            "exists (1:r0=1 /\\ 1:r1=0)\n");
}

TEST(PrintPtx, ThreadsWithoutAPlaceGetTheDefaultOne) {
  const LitmusTest test = read_one("weakspot t\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (1:r0=1)\n");
  EXPECT_NE(round_trip(test, Dialect::ptx).find("P0@cta 0,gpu 0      | P1@cta 1,gpu 0"), std::string::npos);
}

// Everything the dialect has, as its own reader sees it.
TEST(PrintPtx, ItsOwnTestsStayAsTheyAre) {
  const char* const bodies[] = {
      R"({ x=0; s @ surface aliases x; t @ texture aliases s; }
 P0@cta 0,gpu 0,cluster 0 | P1@cta 1,gpu 0,cluster 0 ;
 sust.weak s, 1           | tld.weak r0, t           ;
 fence.proxy.surface      | fence.proxy.async        ;
 suatom.add r1, s, 1      | cold.weak r1, x          ;
exists (1:r0=1)
)",
      R"({ .u64 p = &x; .shared .u16 h; 0:.reg .u64 r0; 0:q = -1; 0:c = 1; 1:r7 = 3; }
 P0                      | P1                        ;
 L: ld.relaxed.sys r0, p | ld.volatile.u16 r1, [h+0] ;
 ld.weak r1, [r0+4]      | @r7 membar.cta            ;
 setp.lt.s32 c, r1, q    | st.weak [x+r1], r7        ;
 @!c goto L              | bar.arrive 3, 64          ;
 mov.u64 r5, &x          | barrier.cluster.sync      ;
 cvt.u64.u32 r6, r1      | bar.cta.sync 1, 2, r1     ;
 red.min x, 3            | atom.cas _, x, 1, 2       ;
filter (x=0)
locations [p; 1:r7;]
forall (0:r6!=5 \/ x=1)
)",
      R"({ 0:r3 = 2; }
 P0               ;
 mov r0, 1        ;
 LC00:            ;
 sub r0, r0, r3   ;
 bgt r0, 1, LC00  ;
 ld.weak.ca r0, x ;
~exists (0:r0=1)
)",
  };
  for (const std::string body : bodies) {
    const LitmusTest test = read_one("PTX t\n" + body);
    EXPECT_EQ(*adapt(test, Dialect::ptx), test);
    round_trip(test, Dialect::ptx);
  }
}

TEST(PrintPtx, RegistersAndGuardsOfOtherDialects) {
  const LitmusTest test =
      read_one("weakspot t\n P0 ;\n ld X1, x ;\n ld r0, x ;\n @X1 st y, 1 ;\nexists (0:X1=1 /\\ 0:r0=1)\n");
  EXPECT_EQ(round_trip(test, Dialect::ptx),
            "PTX t\n{\n x = 0; y = 0;\n}\n"
            " P0@cta 0,gpu 0       ;\n"
            " ld.relaxed.gpu r1, x ;\n"
            " ld.relaxed.gpu r0, x ;\n"
            " beq r1, 0, LC00      ;\n"
            " st.relaxed.gpu y, 1  ;\n"
            " LC00:                ;\n"
            "exists (0:r1=1 /\\ 0:r0=1)\n");
}

TEST(PrintPtx, Refusals) {
  struct {
    const char* line;
    const char* reason;
  } const cases[] = {
      {"ld.sc r0, x", "PTX has no load of order 'sc'"},
      {"st.sc x, 1", "PTX has no store of order 'sc'"},
      {"ld.con r0, x", "PTX has no load of order 'con'"},
      {"ld.sg r0, x", "PTX has no scope 'sg' for this instruction"},
      {"ld.na.vol r0, x", "a volatile access must be relaxed and of scope 'sys'"},
      {"ld.ex r0, x", "PTX has no 'ex' accesses"},
      {"ld.ca r0, x", "a cache operator is for weak accesses only"},
      {"st.texture x, 1", "PTX has no store through the texture proxy"},
      {"ld.sc0 r0, x", "PTX has no memory space 'sc0'"},
      {"ld.acq.semsc0 r0, x", "PTX has no accesses with storage-class semantics"},
      {"atom.cas r0, x, 1, 2, r1", "PTX has no compare-and-swap that reports success"},
      {"atom.cas.weak r0, x, 1, 2", "PTX has no compare-and-swap that may fail spuriously"},
      {"atom.cas.acq.failacq r0, x, 1, 2", "PTX has no failure order for a compare-and-swap"},
      {"fence.rlx", "PTX has no fence of order 'rlx'"},
      {"fence.sc.qf", "PTX has no scope 'qf' for this instruction"},
      {"membar.cluster", "PTX has no scope 'cluster' for this instruction"},
      {"dmb.sy", "PTX has no fences of CPUs or of Vulkan"},
      {"bar.acqrel", "PTX has no barriers with a memory order"},
      {"bar.dev", "PTX has no barrier of scope 'dev'"},
      {"st r5, 1", "location 'r5' has the name of a register"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(refusal(generic(c.line), Dialect::ptx), std::string("t cannot be written as PTX: ") + c.reason) << c.line;
  }
  const LitmusTest families =
      read_one("weakspot t\n P0 | P1 ;\n st x, 1 | ;\nscopes (qf (wg P0)) (qf (wg P1))\nexists (x=1)\n");
  EXPECT_EQ(refusal(families, Dialect::ptx),
            "t cannot be written as PTX: the scope trees of PTX have only gpu, cluster, cta and warp");
}

TEST(PrintPtx2015, PlainTestsWithFences) {
  const LitmusTest test = read_one(
      "weakspot MP\n{ shared x; }\n P0 | P1 ;\n st.na.cg x, 1 | ld.na.cg r0, y ;\n membar.wg | membar ;\n"
      " st.na y, 1 | ld.na.vol r1, x ;\nscopes (wg P0 P1)\nexists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(round_trip(test, Dialect::ptx2015),
            "GPU_PTX MP\n{\n x = 0; y = 0;\n"
            " 0:.reg .b64 r0 = x; 0:.reg .b64 r2 = y; 0:.reg .s32 r1;\n"
            " 1:.reg .s32 r0; 1:.reg .s32 r1; 1:.reg .b64 r3 = x; 1:.reg .b64 r2 = y;\n}\n"
            " P0                 | P1                       ;\n"
            " mov.s32 r1, 1      | ld.cg.s32 r0, [r2]       ;\n"
            " st.cg.s32 [r0], r1 | membar.gl                ;\n"
            " membar.cta         | ld.volatile.s32 r1, [r3] ;\n"
            " st.s32 [r2], r1    |                          ;\n"
            "scopeTree (device (kernel (cta (warp P0) (warp P1))))\n"
            "x: shared\n"
            "exists (1:r0=1 /\\ 1:r1=0)\n");
}

TEST(PrintPtx2015, BranchesAndGuardsGetPredicates) {
  const LitmusTest test =
      read_one("weakspot t\n P0 ;\n ld.na r0, x ;\n bgt r0, 1, L ;\n @r0 st.na y, 1 ;\n L: ;\nexists (0:r0=1)\n");
  const std::string text = round_trip(test, Dialect::ptx2015);
  EXPECT_NE(text.find(" setp.gt.s32 p0, r0, 1 ;\n @p0 bra L "), std::string::npos) << text;
  EXPECT_NE(text.find(" setp.ne.s32 p1, r0, 0 ;\n @p1 st.s32 "), std::string::npos) << text;
}

TEST(PrintPtx2015, ItsOwnTestsStayAsTheyAre) {
  const char* const bodies[] = {
      R"({ 0:.reg .b64 r0 = x; 0:.reg .s32 r1; 0:.reg .b32 r2; 0:.reg .u64 r3; 0:.reg .b64 r4 = y; 0:.reg .s32 r5; }
 P0                         ;
 ld.s32 r1, [r0]            ;
 and.b32 r2, r1, 0x80000000 ;
 cvt.u64.u32 r3, r2         ;
 add.u64 r4, r4, r3         ;
 ld.s32 r5, [r4+4]          ;
 ld.s32 r5, [x+r2]          ;
exists (0:r5=0)
)",
      R"({ .shared .u64 y = 7; .u16 z; 0:.reg .u32 r0 = 0xffffffff; 0:.reg .u64 r1; 0:.reg .pred p; 0:.reg .u16 h; }
 P0                           ;
 cvt.u64.u32 r1, r0           ;
 st.shared.u64 [y], r1        ;
 st.u32 [w], 0xfffffffe       ;
 setp.lt.u32 p, r0, 5         ;
 not.pred p, p                ;
 @!p ld.global.ca.u16 h, [z]  ;
 mul.lo.u32 r0, r0, -3        ;
 shr.u32 r0, r0, 2            ;
 red.add.u64 [y], r1          ;
 atom.exch.b64 _, [y], 1      ;
forall (0:h=0 /\ ~(y=3 \/ z<1))
)",
      R"({ 0:.reg .b64 r0 = p; 0:.reg .b64 r1 = x; 1:.reg .pred q; 1:.reg .s32 r0 = 1; }
 P0               | P1            | P2 ;
 st.b64 [r0], r1  | setp.ne q, r0, 3 | ;
 bar.sync 0       | @q mov r0, 3  |    ;
 bar.arrive 1, 96 |               |    ;
scopeTree (device (cta (warp P0 P1)) (cta P2))
p: global
exists (p=x /\ 1:r0=1)
)",
  };
  for (const std::string body : bodies) {
    const LitmusTest test = read_one("GPU_PTX t\n" + body);
    EXPECT_EQ(*adapt(test, Dialect::ptx2015), test);
    round_trip(test, Dialect::ptx2015);
  }
}

TEST(PrintPtx2015, Refusals) {
  struct {
    const char* line;
    const char* reason;
  } const cases[] = {
      {"ld r0, x", "PTX of 2015 has no load of order 'rlx'"},
      {"st.rel x, 1", "PTX of 2015 has no store of order 'rel'"},
      {"atom.add.acq r0, x, 1", "PTX of 2015 has no read-modify-write of order 'acq'"},
      {"atom.add.wg r0, x, 1", "PTX of 2015 has no scope 'wg' for this instruction"},
      {"fence.sc", "PTX of 2015 has no fence other than membar"},
      {"ld.na.texture r0, x", "PTX of 2015 has no load through the texture proxy"},
      {"eq r0, r1, 1", "register 'r0' has type s32, but 'setp' writes a predicate"},
      {"ld.na r0, [r1]", "register 'r1' has type s32; an address has 64 bits"},
      {"bar.cluster", "PTX of 2015 has no barrier of scope 'cluster'"},
      {"bar 1, 2", "PTX of 2015 has no barriers with a name apart from their id"},
  };
  for (const auto& c : cases) {
    const LitmusTest test = generic(std::string("ld.na r1, y ; ") + c.line);
    EXPECT_EQ(refusal(test, Dialect::ptx2015), std::string("t cannot be written as PTX of 2015: ") + c.reason)
        << c.line;
  }
  EXPECT_EQ(refusal(generic("ld.na r0, y", "{ y aliases x; }\n"), Dialect::ptx2015),
            "t cannot be written as PTX of 2015: PTX of 2015 has no aliases");
}

TEST(PrintPtx, BetweenTheEditions) {
  const LitmusTest old = read_one(
      "GPU_PTX t\n{ 0:.reg .b64 r1=x; 0:.reg .s32 r0; 0:.reg .pred p; }\n P0 ;\n ld.cg.s32 r0, [r1] ;\n setp.eq.s32 p, "
      "r0, 1 "
      ";\n @p st.s32 [r1], r0 ;\n membar.sys ;\nexists (0:r0=0)\n");
  const std::string text = round_trip(old, Dialect::ptx);
  EXPECT_NE(text.find("ld.weak.cg r0, x"), std::string::npos) << text;
  round_trip(*adapt(old, Dialect::ptx), Dialect::ptx2015);
}

}  // namespace
}  // namespace weakspot::litmus::print_ptx_test
