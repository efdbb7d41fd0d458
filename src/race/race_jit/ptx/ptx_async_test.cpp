// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_async.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

TEST(PtxAsync, ALoopAroundAWaitIsOneWait) {
  EXPECT_EQ(without_wait_loop("{\n.reg .pred p;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;\n"
                              "@p bra DONE;\nbra LAB_WAIT;\nDONE:\n}"),
            "mbarrier.try_wait.blocking.parity.shared::cta.b64 p, [$0], $1;");
  EXPECT_EQ(without_wait_loop("{ .reg .pred p; W_${:uid}: mbarrier.test_wait.b64 p, [$0], $1; @!p bra W_${:uid}; }"),
            "mbarrier.test_wait.blocking.b64 p, [$0], $1;");
}

TEST(PtxAsync, OtherTextsStayAsTheyAre) {
  for (const char* text : {"{ .reg .pred p; mbarrier.try_wait.parity.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }",
                           "L: add.s32 $0, $0, 1; bra L;", "griddepcontrol.wait;", ""}) {
    EXPECT_EQ(without_wait_loop(text), text);
  }
}

TEST(PtxAsync, WhatBelongsToThem) {
  auto is_async = [](const char* text) { return is_ptx_async(parse_inline_ptx(text)->front()); };
  for (const char* text : {"mbarrier.init.b64 [$0], 1;", "fence.proxy.async;",
                           "fence.proxy.async::generic.acquire.sync_restrict::shared::"
                           "cluster.cluster;",
                           "fence.mbarrier_init.release.cluster;", "cp.async.ca.shared.global [$0], [$1], 16;",
                           "cp.async.bulk.commit_group;", "griddepcontrol.wait;",
                           "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$2];"}) {
    EXPECT_TRUE(is_async(text)) << text;
  }
  for (const char* text : {"fence.proxy.alias;", "fence.acq_rel.gpu;", "st.shared.u32 [$0], $1;",
                           "cp.async.bulk.prefetch.L2.global [$0], 128;", "bar.sync 0;"}) {
    EXPECT_FALSE(is_async(text)) << text;
  }
}

}  // namespace
}  // namespace weakspot::race_jit
