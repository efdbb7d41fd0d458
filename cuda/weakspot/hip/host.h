// SPDX-License-Identifier: MIT
// Functions of HIP's runtime that differ from CUDA's by more than their names.
#pragma once

inline cudaError_t __wsHipHostMalloc(void** pointer, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc(pointer, size, flags);
}
template <typename T>
inline cudaError_t __wsHipHostMalloc(T** pointer, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
// Members that CUDA's lacks. The GPU and its waves are those that the program is compiled for.
#if !defined(__WS_GPU)
#define __WS_GPU "gfx90a"
#endif
#if !defined(__WS_GPU_WAVE)
#define __WS_GPU_WAVE 64
#endif
struct __wsHipDeviceProp : cudaDeviceProp {
  char gcnArchName[256];
  int gcnArch, clockInstructionRate, isLargeBar, asicRevision;
  size_t maxSharedMemoryPerMultiProcessor;
};
inline cudaError_t __wsHipGetDeviceProperties(__wsHipDeviceProp* properties, int device) {
  *properties = {};
  const cudaError_t error = cudaGetDeviceProperties(properties, device);
  properties->warpSize = __WS_GPU_WAVE;
  strcpy(properties->gcnArchName, __WS_GPU);
  properties->maxSharedMemoryPerMultiProcessor = properties->sharedMemPerMultiprocessor;
  return error;
}
inline cudaError_t __wsHipDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const cudaError_t error = cudaDeviceGetAttribute(value, attribute, device);
  if (error == cudaSuccess && attribute == cudaDevAttrWarpSize) *value = __WS_GPU_WAVE;
  return error;
}

typedef int hipDevice_t;
typedef void* hipDeviceptr_t;
inline cudaError_t hipInit(unsigned int) { return cudaSuccess; }
inline cudaError_t hipMemcpyHtoD(hipDeviceptr_t to, const void* from, size_t size) {
  return cudaMemcpy(to, from, size, cudaMemcpyHostToDevice);
}
inline cudaError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t size) {
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToHost);
}
inline cudaError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t size) {
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}
inline cudaError_t hipMemcpyWithStream(void* to, const void* from, size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  cudaError_t error = cudaMemcpyAsync(to, from, size, kind, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}
