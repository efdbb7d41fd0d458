/* SPDX-License-Identifier: MIT
   Reverses an array of 64 numbers through shared memory. Without the word "repaired" a barrier is missing. */
#include <string.h>

#include "driver.h"

static const char* const head =
    ".version 7.8\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .entry reverse(.param .u64 data, .param .u32 shift)\n"
    "{\n"
    "  .reg .b32 %r<8>;\n"
    "  .reg .b64 %rd<8>;\n"
    "  .shared .align 4 .b8 tile[256];\n"
    "  ld.param.u64 %rd1, [data];\n"
    "  ld.param.u32 %r6, [shift];\n"
    "  cvta.to.global.u64 %rd2, %rd1;\n"
    "  mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %rd3, %r1, 4;\n"
    "  add.s64 %rd4, %rd2, %rd3;\n"
    "  ld.global.u32 %r2, [%rd4];\n"
    "  add.u32 %r2, %r2, %r6;\n"
    "  shl.b32 %r3, %r1, 2;\n"
    "  mov.u32 %r4, tile;\n"
    "  add.u32 %r5, %r4, %r3;\n"
    "  st.shared.u32 [%r5], %r2;\n";
static const char* const tail =
    "  sub.u32 %r7, 252, %r3;\n"
    "  add.u32 %r7, %r4, %r7;\n"
    "  ld.shared.u32 %r2, [%r7];\n"
    "  st.global.u32 [%rd4], %r2;\n"
    "  ret;\n"
    "}\n";

int main(int count, char** words) {
  const int repaired = count > 1 && strcmp(words[1], "repaired") == 0;
  char ptx[4096];
  snprintf(ptx, sizeof ptx, "%s%s%s", head, repaired ? "  bar.sync 0;\n" : "", tail);
  start_device();
  CUmodule module;
  CUfunction kernel;
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&kernel, module, "reverse"));
  if (cuModuleGetFunction(&kernel, module, "missing") != 500) return 5;
  CHECK(cuModuleGetFunction(&kernel, module, "reverse"));

  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  CUdeviceptr data;
  unsigned shift = 100;
  void* arguments[] = {&data, &shift};
  CHECK(cuMemAlloc_v2(&data, sizeof numbers));
  CHECK(cuMemcpyHtoD_v2(data, numbers, sizeof numbers));
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, arguments, 0));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
  CHECK(cuMemFree_v2(data));
  if (repaired) printf("first %d, last %d\n", numbers[0], numbers[63]);
  return 0;
}
