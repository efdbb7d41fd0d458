// The acquire and the release have the device's scope.
// weakspot: launch grid=3 block=64
// weakspot: arg data=int[64]
// weakspot: arg ready=uint[1]
// weakspot: arg out=int[128]
// expect: none
#include <hip/hip_runtime.h>

__global__ void steps(int* data, unsigned* ready, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) __hip_atomic_store(ready, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    if (threadIdx.x == 0) {
      while (__hip_atomic_load(ready, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
      }
    }
    __syncthreads();
    out[(blockIdx.x - 1) * 64 + threadIdx.x] = data[63 - threadIdx.x];
  }
}
