/* SPDX-License-Identifier: MIT
   Compiles a template by nvrtc while it runs, and launches an instance. Without the word "repaired" a barrier is
   missing. */
#include <string.h>

#include "driver.h"

typedef struct nvrtcProgram_st* nvrtcProgram;
int nvrtcCreateProgram(nvrtcProgram* program, const char* text, const char* name, int headers, const char** texts,
                       const char** names);
int nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
int nvrtcCompileProgram(nvrtcProgram program, int count, const char** options);
int nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);
int nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size);
int nvrtcGetProgramLog(nvrtcProgram program, char* log);
int nvrtcGetPTXSize(nvrtcProgram program, size_t* size);
int nvrtcGetPTX(nvrtcProgram program, char* ptx);
int nvrtcGetCUBINSize(nvrtcProgram program, size_t* size);
int nvrtcGetCUBIN(nvrtcProgram program, char* code);
int nvrtcDestroyProgram(nvrtcProgram* program);

static const char* const text =
    "#include \"width.h\"\n"
    "template <typename T>\n"
    "__global__ void reverse(T* data) {\n"
    "  __shared__ T tile[WIDTH];\n"
    "  tile[threadIdx.x] = data[threadIdx.x];\n"
    "#ifdef REPAIRED\n"
    "  __syncthreads();\n"
    "#endif\n"
    "  data[threadIdx.x] = tile[WIDTH - 1 - threadIdx.x];\n"
    "}\n";

static void expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  exit(5);
}

int main(int count, char** words) {
  const int repaired = count > 1 && strcmp(words[1], "repaired") == 0;
  const int by_cubin = count > 2 && strcmp(words[2], "cubin") == 0;
  start_device();

  nvrtcProgram wrong;
  size_t size = 0;
  char log[4096];
  expect(nvrtcCreateProgram(&wrong, "__global__ void k() { missing(); }", "wrong.cu", 0, 0, 0) == 0, "create");
  expect(nvrtcCompileProgram(wrong, 0, 0) == 6, "a wrong source compiles");
  expect(nvrtcGetProgramLogSize(wrong, &size) == 0 && size < sizeof log, "size of the log");
  expect(nvrtcGetProgramLog(wrong, log) == 0 && strstr(log, "wrong.cu:1:23: error") != 0, log);
  nvrtcDestroyProgram(&wrong);

  nvrtcProgram program;
  const char* header_texts[] = {"#define WIDTH 64\n"};
  const char* header_names[] = {"width.h"};
  const char* options[] = {"--std=c++17", "--gpu-architecture=compute_80", "-DREPAIRED"};
  expect(nvrtcCreateProgram(&program, text, "reverse.cu", 1, header_texts, header_names) == 0, "create");
  expect(nvrtcAddNameExpression(program, "reverse<int>") == 0, "name");
  if (nvrtcCompileProgram(program, repaired ? 3 : 2, options) != 0) {
    nvrtcGetProgramLog(program, log);
    expect(0, log);
  }
  const char* name = 0;
  expect(nvrtcGetLoweredName(program, "reverse<int>", &name) == 0, "lowered name");
  char* image = 0;
  if (by_cubin) {
    expect(nvrtcGetCUBINSize(program, &size) == 0, "size of the cubin");
    image = malloc(size);
    expect(nvrtcGetCUBIN(program, image) == 0, "cubin");
  } else {
    expect(nvrtcGetPTXSize(program, &size) == 0, "size of the PTX");
    image = malloc(size);
    expect(nvrtcGetPTX(program, image) == 0 && strlen(image) + 1 == size, "PTX");
  }
  CUmodule module;
  CUfunction kernel;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuModuleGetFunction(&kernel, module, name));
  nvrtcDestroyProgram(&program);
  free(image);

  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  CUdeviceptr data;
  void* arguments[] = {&data};
  CHECK(cuMemAlloc_v2(&data, sizeof numbers));
  CHECK(cuMemcpyHtoD_v2(data, numbers, sizeof numbers));
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, arguments, 0));
  CHECK(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
  if (repaired) printf("first %d, last %d\n", numbers[0], numbers[63]);
  return 0;
}
