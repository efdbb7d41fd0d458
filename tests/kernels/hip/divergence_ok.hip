// All threads meet at one barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64]
// expect: none
#include <hip/hip_runtime.h>

__global__ void diverge(int* data) {
  __shared__ int tile[64];
  if (threadIdx.x < 40) tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 40) data[threadIdx.x] = tile[39 - threadIdx.x];
}
