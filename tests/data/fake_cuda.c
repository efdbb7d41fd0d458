// SPDX-License-Identifier: MIT
// A driver of CUDA that runs no kernels, for tests: memory is the host's, and a launch changes the last buffer by what
// the text of its module says. FAKE_CUDA lists what goes wrong, as "WHAT:TEXT" for modules that contain the text:
//   wrong   the launch leaves another result
//   varies  every second launch does
//   hangs   it does not end
//   fails   it ends with an error, and so does all that follows
//   refused the module cannot be loaded
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Code;
enum { kSuccess = 0, kInvalidImage = 200, kNotReady = 600, kIllegalAddress = 700 };

static Code state = kSuccess;
static unsigned launches;
static char *result;

static int goes(const char *what, const char *text) {
  const char *all = getenv("FAKE_CUDA");
  for (const char *at = all; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : "") {
    char word[32], marker[128];
    if (sscanf(at, "%31[a-z]:%127[^,]", word, marker) != 2) continue;
    if (strcmp(word, what) == 0 && strstr(text, marker)) return 1;
  }
  return 0;
}

Code cuInit(unsigned flags) { return flags ? 1 : kSuccess; }
Code cuDriverGetVersion(int *version) { *version = 13000; return kSuccess; }
Code cuDeviceGetCount(int *count) { *count = 1; return kSuccess; }
Code cuDeviceGet(int *device, int ordinal) { *device = ordinal; return ordinal ? 101 : kSuccess; }
Code cuDeviceGetName(char *name, int length, int device) { snprintf(name, (size_t)length, "fake %d", device); return 0; }
Code cuDeviceGetAttribute(int *value, int attribute, int device) { *value = attribute == 97 ? 1 << 17 : 1; return device; }
Code cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 1 << 20; return device; }
Code cuDevicePrimaryCtxRetain(void **context, int device) { *context = &state; return device; }
Code cuDevicePrimaryCtxRelease_v2(int device) { return device; }
Code cuCtxSetCurrent(void *context) { return context != &state; }
Code cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *names, void **values) {
  if (goes("refused", image)) {
    if (count > 0 && names[0] == 5) strcpy(values[0], "ptxas fatal : refused");
    return kInvalidImage;
  }
  *module = strdup(image);
  return kSuccess;
}
Code cuModuleUnload(void *module) { free(module); return kSuccess; }
Code cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return strstr(module, name) ? kSuccess : 500;
}
Code cuMemAlloc_v2(uint64_t *pointer, size_t bytes) { *pointer = (uintptr_t)calloc(1, bytes); return kSuccess; }
Code cuMemFree_v2(uint64_t pointer) { free((void *)(uintptr_t)pointer); return kSuccess; }
Code cuMemGetInfo_v2(size_t *left, size_t *all) { *left = *all = 1 << 20; return kSuccess; }
Code cuMemsetD32Async(uint64_t to, unsigned value, size_t words, void *stream) {
  for (size_t i = 0; i < words; ++i) ((unsigned *)(uintptr_t)to)[i] = value;
  return stream == NULL;
}
static Code copy(uint64_t to, uint64_t from, size_t bytes) {
  if (state == kSuccess) memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return state;
}
Code cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  return stream ? copy(to, (uintptr_t)from, bytes) : 1;
}
Code cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  return stream ? copy((uintptr_t)to, from, bytes) : 1;
}
Code cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  return stream ? copy(to, from, bytes) : 1;
}
Code cuFuncSetAttribute(void *function, int attribute, int value) { return !function || attribute != 8 || value < 0; }
Code cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    unsigned shared, void *stream, void **arguments, void **extra) {
  const char *text = function;
  if (!stream || extra || gx * gy * gz * bx * by * bz == 0 || shared > 1 << 17) return 1;
  if (strstr(text, "weakspot_scrub")) return state;
  memcpy(&result, arguments[0], sizeof result);
  ++launches;
  result[0] = 1;
  if (goes("wrong", text) || (goes("varies", text) && launches % 2 == 0)) result[0] = 2;
  if (goes("hangs", text)) state = kNotReady;
  if (goes("fails", text)) state = kIllegalAddress;
  return kSuccess;
}
Code cuLaunchCooperativeKernel(void *function) { return function == NULL; }
Code cuStreamCreate(void **stream, unsigned flags) { *stream = &launches; return flags != 1; }
Code cuStreamDestroy_v2(void *stream) { return stream == NULL; }
Code cuStreamSynchronize(void *stream) { return stream ? state : 1; }
Code cuEventCreate(void **event, unsigned flags) { *event = &state; return (int)flags; }
Code cuEventDestroy_v2(void *event) { return event == NULL; }
Code cuEventRecord(void *event, void *stream) { return !event || !stream; }
Code cuEventQuery(void *event) { return event ? state : 1; }
Code cuEventElapsedTime(float *milliseconds, void *from, void *to) { *milliseconds = 1; return from != to; }
Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
  *blocks = 1;
  return !function || threads < 1 || shared > 1 << 17;
}
Code cuGetErrorName(Code code, const char **name) {
  *name = code == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return kSuccess;
}
Code cuGetErrorString(Code code, const char **text) { *text = code ? "it failed" : "no error"; return kSuccess; }
