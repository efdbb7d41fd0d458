// SPDX-License-Identifier: MIT
#include "compile/source.h"

#include <gtest/gtest.h>

#include "support/read_one.h"

namespace weakspot::compile::source_test {
namespace {

using tests::read_one;

TEST(Source, IsAFunctionForEachThread) {
  const auto source = source_of(read_one(
      "weakspot MP\n P0          | P1           ;\n st x, 1     | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x     ;\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n"));
  ASSERT_TRUE(source.ok());
  ASSERT_EQ(source->threads.size(), 2u);
  EXPECT_EQ(source->threads[0].language, Language::c);
  EXPECT_EQ(source->threads[0].body,
            "  atomic_store_explicit(ws_x, 1, memory_order_relaxed);\n"
            "  atomic_store_explicit(ws_y, 1, memory_order_release);\n");
  EXPECT_EQ(source->threads[1].body,
            "  int r0 = atomic_load_explicit(ws_y, memory_order_acquire);\n"
            "  int r1 = atomic_load_explicit(ws_x, memory_order_relaxed);\n"
            "  wsout_r0 = r0;\n  wsout_r1 = r1;\n");
  EXPECT_EQ(source->threads[1].declarations.at("ws_x"), "extern atomic_int ws_x[];");
  EXPECT_EQ(source->threads[1].declarations.at("wsout_r0"), "extern int wsout_r0;");
}

// In C a variable without a value has none; in a test it is zero.
TEST(Source, GivesRegistersTheirFirstValue) {
  const auto block = source_of(
      read_one("C T\n{}\nP0 (atomic_int* x) {\n  int r1;\n  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
               "  if (r0) {\n    r1 = 1;\n  }\n}\nexists (0:r1=1)\n"));
  ASSERT_TRUE(block.ok());
  EXPECT_NE(block->threads[0].body.find("  int r1 = 0;\n"), std::string::npos) << block->threads[0].body;
  const auto jump = source_of(
      read_one("weakspot T\n P0           ;\n ld r0, x     ;\n beq r0, 0, e ;\n ld r1, y     ;\n e:           ;\n"
               "exists (0:r0=0 /\\ 0:r1=0)\n"));
  ASSERT_TRUE(jump.ok());
  EXPECT_EQ(jump->threads[0].body,
            "  int r0 = 0;\n  int r1 = 0;\n  r0 = atomic_load_explicit(ws_x, memory_order_relaxed);\n"
            "  if (r0 == 0) goto e;\n  r1 = atomic_load_explicit(ws_y, memory_order_relaxed);\n  e: ;\n"
            "  wsout_r0 = r0;\n  wsout_r1 = r1;\n");
}

TEST(Source, HasScopesWhereTheTestHasThem) {
  const auto source = source_of(
      read_one("weakspot T\n P0          | P1              ;\n st.wg x, 1  | ld.acq.wg r0, x ;\nscopes (wg P0 P1)\n"
               "exists (1:r0=1)\n"));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->threads[0].language, Language::scoped_c);
  EXPECT_NE(source->threads[0].body.find("memory_scope_work_group"), std::string::npos);
  EXPECT_FALSE(can_share_file(source->threads[0], ThreadSource{}));
}

TEST(Source, OpenClAndCudaHaveTheirOwnWordsForVariables) {
  const auto test = read_one(
      "weakspot T\n P0         | P1              ;\n st.wg x, 1 | ld.acq.wg r0, x ;\nscopes (wg P0 P1)\n"
      "exists (1:r0=1)\n");
  const auto opencl = source_of(test, Language::opencl);
  ASSERT_TRUE(opencl.ok());
  EXPECT_EQ(opencl->threads[1].declarations.at("ws_x"), "extern global atomic_int ws_x[1];");
  EXPECT_EQ(opencl->threads[1].declarations.at("wsout_r0"), "extern global int wsout_r0;");
  EXPECT_EQ(opencl->threads[1].body,
            "  int r0 = atomic_load_explicit(ws_x, memory_order_acquire, memory_scope_work_group);\n"
            "  wsout_r0 = r0;\n");
  const auto cuda = source_of(test, Language::cuda);
  ASSERT_TRUE(cuda.ok());
  EXPECT_EQ(cuda->threads[1].declarations.at("ws_x"), "extern __device__ atomic_int ws_x[1];");
  const std::string file = file_text({&cuda->threads[1]});
  EXPECT_NE(file.find("#include <cuda/atomic>"), std::string::npos);
  EXPECT_NE(file.find("extern \"C\" __device__ void wsfunction0(void) {"), std::string::npos);
  EXPECT_FALSE(source_of(test, Language::cuda_fences).ok());
}

TEST(Source, ThreadsOfWgslAreEntryPoints) {
  const auto source = source_of(
      read_one(
          "weakspot T\n P0           | P1                             ;\n st x, 1      | ld r0, x                  "
          "     ;\n st.na y, 2   | beq r0, 0, e                   ;\n bar          | atom.exch _, x, 3              ;"
          "\n ld.na r0, y | e:                             ;\nscopes (wg P0) (wg P1)\n"
          "exists (0:r0=1 /\\ 1:r0=1)\n"),
      Language::wgsl);
  ASSERT_TRUE(source.ok()) << base::messages(source.errors());
  EXPECT_EQ(source->threads[0].body,
            "  var v_r0: i32 = 0;\n  atomicStore(&ws_x, i32(1));\n  ws_y = i32(2);\n  storageBarrier();\n"
            "  v_r0 = ws_y;\n  wsout_r0 = v_r0;\n");
  EXPECT_EQ(source->threads[1].body,
            "  var v_r0: i32 = 0;\n  v_r0 = atomicLoad(&ws_x);\n  if (v_r0 != i32(0)) {\n"
            "    _ = atomicExchange(&ws_x, i32(3));\n  }\n  wsout_r0 = v_r0;\n");
  const std::string file = file_text({&source->threads[0], &source->threads[1]});
  EXPECT_TRUE(
      file.starts_with("@group(0) @binding(0) var<storage, read_write> ws_x: atomic<i32>;\n"
                       "@group(0) @binding(1) var<storage, read_write> ws_y: i32;\n"))
      << file;
  EXPECT_NE(file.find("@compute @workgroup_size(64) fn wsfunction0() {"), std::string::npos);
  EXPECT_EQ(symbols_of({&source->threads[0]}), (std::vector<std::string>{"ws_x", "ws_y", "wsout_r0"}));
}

TEST(Source, WgslRefusesWhatItDoesNotHave) {
  auto refusal = [](const char* text) {
    const auto source = source_of(read_one(text), Language::wgsl);
    return source.ok() ? std::string() : base::messages(source.errors());
  };
  EXPECT_EQ(refusal("weakspot T\n P0          ;\n st.rel x, 1 ;\nexists (x=1)\n"), "WGSL has only relaxed atomics");
  EXPECT_EQ(refusal("weakspot T\n P0       ;\n fence.sc ;\n st x, 1 ;\nexists (x=1)\n"),
            "WGSL has no fences, only workgroup barriers");
  EXPECT_EQ(refusal("weakspot T\n P0         ;\n st x, 1    ;\n st.na x, 1 ;\nexists (x=1)\n"),
            "the test accesses a location both plainly and atomically; in WGSL it is one or the other");
  EXPECT_EQ(refusal("weakspot T\n P0                   ;\n atom.cas r0, x, 0, 1 ;\nexists (0:r0=0)\n"),
            "WGSL has only the weak compare-exchange, which may fail for no reason");
  EXPECT_EQ(refusal("weakspot T\n P0      | P1       ;\n st x, 1 | ld r0, x ;\nscopes (dev P0) (dev P1)\n"
                    "exists (1:r0=1)\n"),
            "the test has several devices, and a program of WGSL runs on one");
}

TEST(Source, RefusesWhatAFunctionDoesNotHave) {
  const auto source = source_of(read_one("weakspot T\n P0  | P1  ;\n bar | bar ;\nscopes (wg P0 P1)\nexists (true)\n"));
  ASSERT_FALSE(source.ok());
}

TEST(Source, FilesDeclareEverythingOnce) {
  ThreadSource one;
  one.declarations = {{"ws_x", "extern atomic_int ws_x[];"}};
  one.body = "  one;\n";
  ThreadSource other = one;
  other.body = "  other;\n";
  EXPECT_TRUE(can_share_file(one, other));
  const std::string text = file_text({&one, &other});
  EXPECT_EQ(text.find("extern atomic_int ws_x[];"), text.rfind("extern atomic_int ws_x[];"));
  EXPECT_NE(text.find("void wsfunction0(void) {\n  one;\n}\nvoid wsfunction1(void) {\n  other;\n}\n"),
            std::string::npos);
  other.declarations["ws_x"] = "extern int64_t ws_x[];";
  EXPECT_FALSE(can_share_file(one, other));
}

}  // namespace
}  // namespace weakspot::compile::source_test
