// SPDX-License-Identifier: MIT
#include "analysis/cuda_litmus.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"

namespace weakspot::analysis {
namespace {

// Written for this test in the form of the study's kernels.
constexpr std::string_view kWrc = R"(
#ifdef ACQ_REL
    cuda::memory_order thread_1_load = cuda::memory_order_acquire;
    cuda::memory_order thread_1_store = cuda::memory_order_release;
    #define FENCE_1()
#elif defined(THREAD_1_FENCE)
    cuda::memory_order thread_1_load = cuda::memory_order_relaxed;
    cuda::memory_order thread_1_store = cuda::memory_order_relaxed;
    #define FENCE_1() cuda::atomic_thread_fence(cuda::memory_order_seq_cst, FENCE_SCOPE);
#else
    cuda::memory_order thread_1_load = cuda::memory_order_relaxed;
    cuda::memory_order thread_1_store = cuda::memory_order_relaxed;
    #define FENCE_1()
#endif
    test_locations[x_0].store(1, cuda::memory_order_relaxed);
    uint r0 = test_locations[x_1].load(thread_1_load);
    FENCE_1()
    test_locations[y_1].store(1, thread_1_store);
    uint r1 = test_locations[y_2].load(cuda::memory_order_seq_cst);
    uint r2 = test_locations[x_2].load(cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
  else if (r0 == 1 && r1 == 1 && r2 == 0) {
    test_results->weak.fetch_add(1);
  else if (r0 == 1) {
)";

std::string text_of(std::string_view name) {
  const std::optional<CudaLitmusName> parts = parse_cuda_litmus_name(name);
  if (!parts) return "no name";
  base::Result<litmus::LitmusTest> test = cuda_litmus_test(base::Source("wrc.cu", std::string(kWrc)), *parts, "T");
  if (!test) return base::render(test.errors());
  return *litmus::print(*test, litmus::Dialect::canonical);
}

TEST(CudaLitmus, ReadsNames) {
  const CudaLitmusName fenced{"wrw_2w", {"0", "12"}, litmus::Scope::device, litmus::Scope::workgroup, "BOTH_FENCE"};
  EXPECT_EQ(parse_cuda_litmus_name("wrw_2w_TB_0_12_SCOPE_DEVICE_FENCE_SCOPE_BLOCK_BOTH_FENCE"), fenced);
  EXPECT_EQ(parse_cuda_litmus_name("wrw+2w-TB_0_12-SCOPE_DEVICE-FENCE_SCOPE_BLOCK-BOTH_FENCE"), fenced);
  const CudaLitmusName plain{"three_2w", {"012"}, litmus::Scope::system, std::nullopt, "RELAXED"};
  EXPECT_EQ(parse_cuda_litmus_name("3.2w-TB_012-SCOPE_SYSTEM-NO_FENCE-RELAXED"), plain);
  for (const char* wrong :
       {"", "wrc", "wrc_TB_0_1", "wrc_TB_0_x_SCOPE_DEVICE_NO_FENCE_RELAXED", "wrc_TB_0_SCOPE_DEVICE",
        "wrc_TB_0_SCOPE_WARP_NO_FENCE_RELAXED", "wrc_TB_0_SCOPE_DEVICE_NO_FENCE",
        "wrc_TB_0_SCOPE_DEVICE_FENCE_SCOPE_WARP_A", "wrc_TB_0_SCOPE_DEVICE_FENCE_SCOPE_BLOCK"}) {
    EXPECT_FALSE(parse_cuda_litmus_name(wrong)) << wrong;
  }
}

TEST(CudaLitmus, ReadsVariants) {
  EXPECT_EQ(text_of("wrc_TB_0_12_SCOPE_BLOCK_NO_FENCE_ACQ_REL"), R"(weakspot T
Arch=ptx
 P0         | P1              | P2              ;
 st.wg x, 1 | ld.acq.wg r0, x | fence.sc.wg     ;
            | st.rel.wg y, 1  | ld.acq.wg r1, y ;
            |                 | ld.wg r2, x     ;
scopes (wg P0) (wg P1 P2)
exists (1:r0=1 /\ 2:r1=1 /\ 2:r2=0)
)");
  EXPECT_EQ(text_of("wrc_TB_02_1_SCOPE_DEVICE_FENCE_SCOPE_SYSTEM_THREAD_1_FENCE"), R"(weakspot T
Arch=ptx
 P0      | P1           | P2           ;
 st x, 1 | ld r0, x     | fence.sc     ;
         | fence.sc.sys | ld.acq r1, y ;
         | st y, 1      | ld r2, x     ;
scopes (wg P0 P2) (wg P1)
exists (1:r0=1 /\ 2:r1=1 /\ 2:r2=0)
)");
}

TEST(CudaLitmus, SaysWhatItDoesNotUnderstand) {
  EXPECT_NE(text_of("wrc_TB_0_12_SCOPE_BLOCK_NO_FENCE_RELEASE").find("the kernel has no variant 'RELEASE'"),
            std::string::npos);
  EXPECT_NE(text_of("wrc_TB_0_1_SCOPE_BLOCK_NO_FENCE_RELAXED").find("the name places 2 threads and the kernel has 3"),
            std::string::npos);
  const base::Source odd("odd.cu", "#if A\ntest_locations[i].store(1, order);\nFENCE_7()\n");
  const base::Result<litmus::LitmusTest> test =
      cuda_litmus_test(odd, *parse_cuda_litmus_name("mp_TB_0_SCOPE_DEVICE_NO_FENCE_RELAXED"), "T");
  ASSERT_FALSE(test.ok());
  EXPECT_EQ(base::messages(test.errors()).find("expected '#ifdef': other conditions are not understood"), 0u);
}

}  // namespace
}  // namespace weakspot::analysis
