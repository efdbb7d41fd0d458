// The tail is published by a release store of the system's scope, behind a barrier of the senders.
// weakspot: launch grid=2 block=128
// weakspot: arg ring=int[128]
// weakspot: arg tail=int[1]
// weakspot: arg out=int[128]
// expect: none
#include <hip/hip_runtime.h>

__device__ __forceinline__ void publish(int* tail, int value) {
  __hip_atomic_store(tail, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

__global__ void send(int* ring, int* tail, int* out) {
  if (blockIdx.x == 0) {
    ring[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) publish(tail, 128);
  } else {
    if (threadIdx.x == 0) {
      while (__hip_atomic_load(tail, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != 128) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = ring[127 - threadIdx.x];
  }
}
