// Half of a wave waits at one barrier and half at another.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64]
// expect: divergence D1 @a @b
#include <hip/hip_runtime.h>

__global__ void diverge(int* data) {
  __shared__ int tile[64];
  if (threadIdx.x < 40) {
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();  // @a
    data[threadIdx.x] = tile[39 - threadIdx.x];
  } else {
    __syncthreads();  // @b
  }
}
