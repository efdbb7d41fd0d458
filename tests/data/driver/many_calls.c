/* SPDX-License-Identifier: MIT
   Calls what programs call besides loading and launching, and checks the answers. Prints the last line only if all were
   right. */
#include <string.h>

#include "driver.h"

static const char* const ptx =
    ".version 7.8\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 total = 5;\n"
    ".visible .entry fill(.param .u8 wide, .param .u64 data, .param .align 8 .b8 pair[8], .param .u32 one)\n"
    "{\n"
    "  .reg .b32 %r<8>;\n"
    "  .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [data];\n"
    "  ld.param.u32 %r1, [pair+4];\n"
    "  ld.param.u32 %r2, [one];\n"
    "  ld.param.u8 %r5, [wide];\n"
    "  mov.u32 %r3, %ctaid.x;\n"
    "  mov.u32 %r4, %ntid.x;\n"
    "  mul.lo.u32 %r3, %r3, %r4;\n"
    "  mov.u32 %r4, %tid.x;\n"
    "  add.u32 %r3, %r3, %r4;\n"
    "  mul.wide.u32 %rd2, %r3, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  add.u32 %r1, %r1, %r2;\n"
    "  add.u32 %r1, %r1, %r5;\n"
    "  ld.global.u32 %r6, [total];\n"
    "  add.u32 %r1, %r1, %r6;\n"
    "  st.global.u32 [%rd3], %r1;\n"
    "  ret;\n"
    "}\n";

#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (condition) break;                                                        \
    fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    exit(5);                                                                     \
  } while (0)

static void expect_numbers(CUdeviceptr data, int value) {
  int numbers[64];
  CHECK(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
  for (int i = 0; i < 64; ++i) EXPECT(numbers[i] == value);
}

int main(void) {
  int value = 0;
  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&value));
  EXPECT(value >= 12000);
  start_device();
  CHECK(cuDeviceGetAttribute(&value, 75, 0));
  EXPECT(value == 9);

  /* A text that is not PTX, with a log of errors. */
  CUmodule module;
  char log[256] = "";
  int options[] = {5, 6};
  void* values[] = {log, (void*)(size_t)sizeof log};
  EXPECT(cuModuleLoadDataEx(&module, ".version 7.8\n.target sm_80\n.nonsense\n", 2, options, values) == 218);
  EXPECT(strstr(log, "nonsense") != 0);
  EXPECT(cuModuleLoadData(&module, "no PTX") == 200);

  CHECK(cuModuleLoadData(&module, ptx));
  CUfunction fill;
  CHECK(cuModuleGetFunction(&fill, module, "fill"));
  CHECK(cuFuncGetAttribute(&value, 0, fill));
  EXPECT(value == 1024);
  CUdeviceptr total;
  size_t size = 0;
  CHECK(cuModuleGetGlobal_v2(&total, &size, module, "total"));
  EXPECT(size == 4);
  EXPECT(cuModuleGetGlobal_v2(&total, &size, module, "none") == 500);

  /* Arguments one by one, and in one buffer. */
  CUdeviceptr data;
  CHECK(cuMemAlloc_v2(&data, 64 * 4));
  unsigned char wide = 1;
  int pair[2] = {0, 10}, one = 100;
  void* arguments[] = {&wide, &data, pair, &one};
  CHECK(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  expect_numbers(data, 116);
  struct {
    unsigned char wide;
    CUdeviceptr data;
    int pair[2];
    int one;
  } buffer = {2, data, {0, 20}, 200};
  size_t bytes = sizeof buffer;
  void* extra[] = {(void*)1, &buffer, (void*)2, &bytes, 0};
  CHECK(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, 0, extra));
  expect_numbers(data, 227);
  bytes = 8;
  EXPECT(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, 0, extra) == 1);
  EXPECT(cuLaunchKernel(fill, 2, 1, 1, 2048, 1, 1, 0, 0, arguments, 0) == 1);
  CHECK(cuLaunchCooperativeKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, arguments));

  /* Variables, and the same text a second time: its variable is another one. */
  int number = 6;
  CHECK(cuMemcpyHtoD_v2(total, &number, 4));
  CHECK(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  expect_numbers(data, 117);
  CUmodule second;
  CUdeviceptr other;
  CUfunction fill_again;
  CHECK(cuModuleLoadData(&second, ptx));
  CHECK(cuModuleGetGlobal_v2(&other, 0, second, "total"));
  EXPECT(other != total);
  CHECK(cuModuleGetFunction(&fill_again, second, "fill"));
  EXPECT(fill_again != fill);
  CHECK(cuLaunchKernel(fill_again, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  expect_numbers(data, 116);
  CHECK(cuModuleUnload(second));
  EXPECT(cuLaunchKernel(fill_again, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0) == 400);

  /* The linker. */
  CUlinkState linker;
  void* image;
  CHECK(cuLinkCreate_v2(0, 0, 0, &linker));
  CHECK(cuLinkAddData_v2(linker, 1, (void*)ptx, strlen(ptx) + 1, "fill", 0, 0, 0));
  CHECK(cuLinkComplete(linker, &image, &size));
  CHECK(cuModuleLoadData(&second, image));
  CHECK(cuModuleGetFunction(&fill_again, second, "fill"));

  /* A graph. */
  CUstream stream;
  CUgraph graph;
  CUgraphExec ready;
  CHECK(cuStreamCreate(&stream, 0));
  CHECK(cuStreamBeginCapture_v2(stream, 0));
  CHECK(cuMemsetD32Async(data, 0, 64, stream));
  CHECK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, 0));
  CHECK(cuStreamEndCapture(stream, &graph));
  expect_numbers(data, 116);
  CHECK(cuGraphInstantiateWithFlags(&ready, graph, 0));
  CHECK(cuGraphLaunch(ready, stream));
  CHECK(cuStreamSynchronize(stream));
  int numbers[64];
  CHECK(cuMemcpyDtoHAsync_v2(numbers, data, sizeof numbers, stream));
  EXPECT(numbers[0] == 117 && numbers[32] == 0);

  /* Other memory. */
  CUdeviceptr managed;
  unsigned type = 0;
  CHECK(cuMemAllocManaged(&managed, 64 * 4, 1));
  data = managed;
  CHECK(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  CHECK(cuCtxSynchronize());
  EXPECT(((int*)managed)[63] == 117);
  CHECK(cuPointerGetAttribute(&type, 2, managed));
  EXPECT(type == 2);
  int* host = calloc(64, 4);
  CHECK(cuMemHostRegister_v2(host, 64 * 4, 0));
  data = (CUdeviceptr)host;
  CHECK(cuLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  CHECK(cuCtxSynchronize());
  EXPECT(host[63] == 117);
  CHECK(cuMemHostUnregister(host));
  CHECK(cuMemAllocAsync(&data, 64, stream));
  CHECK(cuMemFreeAsync(data, stream));
  EXPECT(cuMemcpyDtoH_v2(numbers, managed, 65 * 4) == 1);

  /* Functions by name. */
  CUresult (*get_count)(int*);
  CHECK(cuGetProcAddress_v2("cuDeviceGetCount", (void**)&get_count, 12000, 0, &value));
  EXPECT(value == 0);
  CHECK(get_count(&value));
  EXPECT(value == 1);
  void* allocate;
  CHECK(cuGetProcAddress_v2("cuMemAlloc", &allocate, 12000, 0, &value));
  EXPECT(allocate == (void*)cuMemAlloc_v2);
  EXPECT(cuGetProcAddress_v2("cuNoSuchFunction", &allocate, 12000, 0, &value) == 500 && value == 1);
  puts("all as expected");
  return 0;
}
