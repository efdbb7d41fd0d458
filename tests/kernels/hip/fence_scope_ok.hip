// The fences reach the device.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[64]
// expect: none
#include <hip/hip_runtime.h>

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    out[threadIdx.x] = data[0];
  }
}
