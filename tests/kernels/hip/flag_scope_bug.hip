// The flag has the scope of the block, and another block waits for it.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[64]
// expect: race E1 global data @w @r
// expect: race E1 global flag @set @poll
#include <hip/hip_runtime.h>

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;  // @w
      __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);  // @set
    }
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {  // @poll
    }
    out[threadIdx.x] = data[0];  // @r
  }
}
