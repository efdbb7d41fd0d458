// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_effects.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

using race::Effect;

TEST(PtxEffects, OfInstructions) {
  struct Case {
    const char* text;
    Effect effect;
  };
  for (const Case& test : {
           Case{"prefetch.global.L2 [$0];", Effect::none},
           {"setmaxnreg.inc.sync.aligned.u32 240;", Effect::none},
           {"cp.async.bulk.prefetch.L2.global [$0], 128;", Effect::none},
           {"fence.mbarrier_init.release.cluster;", Effect::none},
           {"cp.async.bulk.commit_group;", Effect::asynchronous},
           {"cp.async.bulk.wait_group.read 0;", Effect::asynchronous},
           {"fence.proxy.async.shared::cta;", Effect::asynchronous},
           {"fence.proxy.alias;", Effect::asynchronous},
           {"wgmma.fence.sync.aligned;", Effect::asynchronous},
           {"wgmma.commit_group.sync.aligned;", Effect::asynchronous},
           {"griddepcontrol.wait;", Effect::grids},
           {"griddepcontrol.launch_dependents;", Effect::grids},
           {"bfind.u32 $0, $1;", Effect::value},
           {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0}, {$1}, {$2}, {$3};", Effect::value},
           {"elect.sync _|p, 0xffffffff;", Effect::value},
           {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", Effect::memory},
           {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$1, $2}], [$3];", Effect::memory},
           {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0], [$1], 128;", Effect::memory},
           {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$2];", Effect::memory},
           {"red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.inc.u32 [$0], $1, [$2];", Effect::memory},
           {"multimem.red.relaxed.sys.global.add.u32 [$0], $1;", Effect::memory},
           {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0,$1,$2,$3}, [$4];", Effect::memory},
           {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0}, $1, $2, 1, 1, 1, 0, 0;", Effect::memory},
           {"discard.global.L2 [$0], 128;", Effect::memory},
           {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", Effect::order},
           {"barrier.cluster.wait.acquire.aligned;", Effect::order},
           {"fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", Effect::order},
           {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [$0];", Effect::order},
           {"newinstruction.of.the.future;", Effect::unknown},
       }) {
    EXPECT_EQ(inline_ptx_effect(test.text), test.effect) << test.text;
  }
}

TEST(PtxEffects, TheGravestOfSeveralCountsWhateverTheOperandsLookLike) {
  EXPECT_EQ(inline_ptx_effect("{\n.reg .pred p;\nWAIT: mbarrier.try_wait.parity.b64 p, [$0], $1;\n@!p bra WAIT;\n}"),
            Effect::order);
  EXPECT_EQ(inline_ptx_effect("@p cp.async.bulk.commit_group; add.s32 $0, $1, 1;"), Effect::value);
  EXPECT_EQ(inline_ptx_effect("// bar.sync 0;\n griddepcontrol.wait;"), Effect::grids);
  EXPECT_EQ(inline_ptx_effect("/* first */ strange.thing; bar.sync 0;"), Effect::unknown);
  EXPECT_EQ(inline_ptx_effect("L1:\n L2: prefetch.global.L1 [$0];"), Effect::none);
  EXPECT_EQ(inline_ptx_effect(""), Effect::value) << "a result that nothing gives";
}

TEST(PtxEffects, IntrinsicsAreTheirInstructions) {
  EXPECT_EQ(nvvm_effect("llvm.nvvm.barrier.cluster.arrive.relaxed"), Effect::order);
  EXPECT_EQ(nvvm_effect("llvm.nvvm.fence.sc.cluster"), Effect::order);
  EXPECT_EQ(nvvm_effect("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3"), Effect::memory);
  EXPECT_EQ(nvvm_effect("llvm.nvvm.read.ptx.sreg.envreg3"), Effect::value);
  EXPECT_EQ(nvvm_effect("llvm.nvvm.something.new"), Effect::unknown);
}

}  // namespace
}  // namespace weakspot::race_jit
