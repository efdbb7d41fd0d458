// SPDX-License-Identifier: MIT
// Kernels that kernels launch. clang takes no <<<>>> in device code: 'weakspot race' writes
// __ws_child<decltype(&NAME), &NAME>(GRID, BLOCK, ...)(ARGUMENTS) for NAME<<<GRID, BLOCK, ...>>>(ARGUMENTS) there.
#pragma once

#include "runtime_types.h"

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

extern "C" {
__device__ void __ws_launch_child(const void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                  unsigned block_y, unsigned block_z, unsigned long long shared,
                                  const void* const* arguments, const unsigned* sizes, unsigned count);
__device__ void __ws_wait_for_children();

// The names behind <<<>>>, which nobody implements: a call is listed as not modelled.
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned int shared,
                                        cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream);

__device__ inline cudaError_t cudaDeviceSynchronize() {
  __ws_wait_for_children();
  return cudaSuccess;
}
__device__ inline cudaError_t cudaGetLastError() { return cudaSuccess; }
__device__ inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
__device__ inline const char* cudaGetErrorString(cudaError_t) { return ""; }
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  *stream = 0;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
}

// Memory, as malloc() and free() of the device give it. A copy is made at once by the thread that asks for it.
template <typename T> __device__ inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  *pointer = (T*)malloc(size);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
template <typename T> __device__ inline cudaError_t cudaFree(T* pointer) {
  free((void*)pointer);
  return cudaSuccess;
}
template <typename T>
__device__ inline cudaError_t cudaMemcpyAsync(T* to, const void* from, size_t size, cudaMemcpyKind, cudaStream_t = 0) {
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return cudaSuccess;
}
template <typename T>
__device__ inline cudaError_t cudaMemsetAsync(T* to, int value, size_t size, cudaStream_t = 0) {
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = (char)value;
  return cudaSuccess;
}

// As a member, the kernel is a constant: naming it in device code would be an error.
template <typename Kernel, Kernel kernel>
struct __ws_child_launch;
template <typename... Parameters, void (*kernel)(Parameters...)>
struct __ws_child_launch<void (*)(Parameters...), kernel> {
  static constexpr void (*called)(Parameters...) = kernel;
  dim3 grid, block;
  size_t shared;

  __device__ void operator()(Parameters... arguments) const {
    const void* const all[] = {&arguments..., nullptr};
    const unsigned sizes[] = {sizeof(Parameters)..., 0};
    __ws_launch_child((const void*)called, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, all, sizes,
                      sizeof...(Parameters));
  }
};

template <typename Kernel, Kernel kernel>
__device__ inline __ws_child_launch<Kernel, kernel> __ws_child(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0) {
  return {grid, block, shared};
}
