// SPDX-License-Identifier: MIT
// The host side of the CUDA runtime, as far as 'weakspot race' stands in for it.
#pragma once

#include "runtime_types.h"

extern "C" {
cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream);

// Without a place; overloads below have the usual names.
cudaError_t __wsMalloc(void** pointer, size_t size) __asm__("cudaMalloc");
cudaError_t __wsMallocManaged(void** pointer, size_t size, unsigned int flags) __asm__("cudaMallocManaged");
cudaError_t __wsMallocHost(void** pointer, size_t size) __asm__("cudaMallocHost");
cudaError_t __wsHostAlloc(void** pointer, size_t size, unsigned int flags) __asm__("cudaHostAlloc");
cudaError_t __wsMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) __asm__("cudaMallocPitch");
cudaError_t __wsMallocAsync(void** pointer, size_t size, cudaStream_t stream) __asm__("cudaMallocAsync");
// Where the next allocation of this thread stands in the source.
void __wsAllocatesAt(const char* file, unsigned int line, unsigned int column);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaMemAdvise(const void* pointer, size_t size, int advice, int device);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device, cudaStream_t stream = 0);

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t size,
                                cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void* to, int value, size_t size);
cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
cudaError_t __wsMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset, cudaStream_t stream,
                               int waits);
cudaError_t __wsMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, cudaStream_t stream, int waits);
cudaError_t __wsGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t __wsGetSymbolSize(size_t* size, const void* symbol);

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(int config);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t __wsFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* argument);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, void (*function)(cudaStream_t, cudaError_t, void*), void* argument,
                                  unsigned int flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = 0) {
  return cudaEventCreateWithFlags(event, flags);
}

// GCC, which compiles what a project has in plain C++, has no columns.
#if defined(__has_builtin) && __has_builtin(__builtin_COLUMN)
#define __WS_COLUMN __builtin_COLUMN()
#else
#define __WS_COLUMN 0
#endif

// The place of a call, as a default argument. Reports name memory by the variable that stands there.
struct __wsCall {
  const char* file;
  unsigned int line, column;

  static constexpr __wsCall here(const char* file = __builtin_FILE(), unsigned int line = __builtin_LINE(),
                                 unsigned int column = __WS_COLUMN) {
    return {file, line, column};
  }
  void tell() const { __wsAllocatesAt(file, line, column); }
};
#undef __WS_COLUMN

// For each function: one for any pointer, one for void*, and one with the parameters of CUDA's, for its address.
template <typename T> inline cudaError_t cudaMalloc(T** pointer, size_t size, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMalloc((void**)pointer, size);
}
inline cudaError_t cudaMalloc(void** pointer, size_t size, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMalloc(pointer, size);
}
template <int = 0> inline cudaError_t cudaMalloc(void** pointer, size_t size) { return __wsMalloc(pointer, size); }

template <typename T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = 1,
                                     __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocManaged((void**)pointer, size, flags);
}
inline cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags = 1,
                                     __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocManaged(pointer, size, flags);
}
template <int = 0> inline cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  return __wsMallocManaged(pointer, size, flags);
}

template <typename T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int = 0, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocHost((void**)pointer, size);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t size, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocHost(pointer, size);
}
template <int = 0> inline cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return __wsMallocHost(pointer, size);
}

template <typename T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsHostAlloc((void**)pointer, size, flags);
}
inline cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsHostAlloc(pointer, size, flags);
}
template <int = 0> inline cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return __wsHostAlloc(pointer, size, flags);
}

template <typename T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height,
                                   __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocPitch((void**)pointer, pitch, width, height);
}
inline cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height,
                                   __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocPitch(pointer, pitch, width, height);
}
template <int = 0> inline cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return __wsMallocPitch(pointer, pitch, width, height);
}

template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream, __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocAsync((void**)pointer, size, stream);
}
inline cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream,
                                   __wsCall call = __wsCall::here()) {
  call.tell();
  return __wsMallocAsync(pointer, size, stream);
}
template <int = 0> inline cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return __wsMallocAsync(pointer, size, stream);
}
template <typename T> inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return __wsMemcpyToSymbol((const void*)&symbol, from, size, offset, 0, 1);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size, size_t offset,
                                           cudaMemcpyKind, cudaStream_t stream = 0) {
  return __wsMemcpyToSymbol((const void*)&symbol, from, size, offset, stream, 0);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return __wsMemcpyFromSymbol(to, (const void*)&symbol, size, offset, 0, 1);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size, size_t offset, cudaMemcpyKind,
                                             cudaStream_t stream = 0) {
  return __wsMemcpyFromSymbol(to, (const void*)&symbol, size, offset, stream, 0);
}
template <typename P, typename T> inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return __wsGetSymbolAddress((void**)pointer, (const void*)&symbol);
}
template <typename T> inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return __wsGetSymbolSize(size, (const void*)&symbol);
}
template <typename F>
inline cudaError_t cudaLaunchKernel(F* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template <typename F> inline cudaError_t cudaLaunchCooperativeKernel(F* kernel, dim3 grid, dim3 block, void** arguments,
                                                                     size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template <typename F> inline cudaError_t cudaFuncSetAttribute(F*, cudaFuncAttribute, int) { return cudaSuccess; }
template <typename F> inline cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) { return cudaSuccess; }
template <typename F> inline cudaError_t cudaFuncSetSharedMemConfig(F*, int) { return cudaSuccess; }
template <typename F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* kernel) {
  return __wsFuncGetAttributes(attributes, (const void*)kernel);
}
template <typename F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, size_t) {
  *blocks = threads > 0 && threads <= 1024 ? 2048 / threads : 0;
  return cudaSuccess;
}
template <typename F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t = 0, int limit = 0) {
  *block = limit > 0 && limit < 256 ? limit : 256;
  *grid = 8;
  return cudaSuccess;
}
