/* SPDX-License-Identifier: MIT
   Two launches add to the same array, in two streams. With the word "repaired" the second one waits for the first. */
#include <string.h>

#include "driver.h"

static const char* const ptx =
    ".version 7.8\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .entry add(.param .u64 data, .param .u32 value)\n"
    "{\n"
    "  .reg .b32 %r<4>;\n"
    "  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [data];\n"
    "  ld.param.u32 %r1, [value];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  mul.wide.u32 %rd2, %r2, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r3, [%rd3];\n"
    "  add.u32 %r3, %r3, %r1;\n"
    "  st.global.u32 [%rd3], %r3;\n"
    "  ret;\n"
    "}\n";

int main(int count, char** words) {
  const int repaired = count > 1 && strcmp(words[1], "repaired") == 0;
  start_device();
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  CHECK(cuLibraryLoadData(&library, ptx, 0, 0, 0, 0, 0, 0));
  CHECK(cuLibraryGetKernel(&kernel, library, "add"));
  CHECK(cuKernelGetFunction(&function, kernel));

  CUdeviceptr data;
  CUstream streams[2];
  CUevent first_done;
  unsigned values[2] = {1, 2};
  for (int i = 0; i < 2; ++i) CHECK(cuStreamCreate(&streams[i], 1));
  CHECK(cuEventCreate(&first_done, 0));
  CHECK(cuMemAlloc_v2(&data, 32 * 4));
  CHECK(cuMemsetD32_v2(data, 7, 32));
  CHECK(cuCtxSynchronize());
  for (int i = 0; i < 2; ++i) {
    void* arguments[] = {&data, &values[i]};
    CUlaunchConfig config = {1, 1, 1, 32, 1, 1, 0, streams[i], 0, 0};
    if (i == 1 && repaired) CHECK(cuStreamWaitEvent(streams[1], first_done, 0));
    CHECK(cuLaunchKernelEx(&config, function, arguments, 0));
    if (i == 0) CHECK(cuEventRecord(first_done, streams[0]));
  }
  CHECK(cuCtxSynchronize());
  int numbers[32];
  CHECK(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
  printf("first %d, last %d\n", numbers[0], numbers[31]);
  return 0;
}
