// The flag has the scope of the device.
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
      __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    out[threadIdx.x] = data[0];
  }
}
