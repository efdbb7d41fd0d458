// Data in shared memory is published by a flag in global memory, with fences for global memory alone.
// weakspot: launch grid=1 block=128
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 shared data @w @r
#include <hip/hip_runtime.h>

__global__ void pass(int* flag, int* out) {
  __shared__ int data;
  if (threadIdx.x == 0) {
    data = 42;  // @w
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent", "global");
    __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else if (threadIdx.x == 64) {
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent", "global");
    *out = data;  // @r
  }
}
