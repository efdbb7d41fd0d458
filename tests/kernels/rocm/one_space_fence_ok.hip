// The fences are for both memories.
// weakspot: launch grid=1 block=128
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none
#include <hip/hip_runtime.h>

__global__ void pass(int* flag, int* out) {
  __shared__ int data;
  if (threadIdx.x == 0) {
    data = 42;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent", "global", "local");
    __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else if (threadIdx.x == 64) {
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent", "global", "local");
    *out = data;
  }
}
