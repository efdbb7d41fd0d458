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
