// The tail of a queue is published after a wait for one wave's own accesses, by a relaxed store.
// weakspot: launch grid=2 block=128
// weakspot: arg ring=int[128]
// weakspot: arg tail=int[1]
// weakspot: arg out=int[128]
// expect: race E1 global ring @w @r
#include <hip/hip_runtime.h>

__device__ __forceinline__ void publish(int* tail, int value) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  asm volatile("s_waitcnt lgkmcnt(0) vmcnt(0)");
  __hip_atomic_store(tail, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__global__ void send(int* ring, int* tail, int* out) {
  if (blockIdx.x == 0) {
    ring[threadIdx.x] = threadIdx.x + 1;  // @w
    __syncthreads();
    if (threadIdx.x == 0) publish(tail, 128);
  } else {
    if (threadIdx.x == 0) {
      while (__hip_atomic_load(tail, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != 128) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = ring[127 - threadIdx.x];  // @r
  }
}
