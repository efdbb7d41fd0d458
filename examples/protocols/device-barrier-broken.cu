// SPDX-License-Identifier: MIT
// The same without the fence before the counter.
// weakspot: launch grid=2 block=1
// weakspot: arg count=int[1]
// weakspot: arg data=int[2]
#include <cassert>

__device__ void barrier(int* count, int all) {
  atomicAdd(count, 1);
  while (*(volatile int*)count != all) {
  }
  __threadfence();
}

__global__ void exchange(int* count, int* data) {
  data[blockIdx.x] = blockIdx.x + 1;
  barrier(count, gridDim.x);
  assert(data[(blockIdx.x + 1) % gridDim.x] == (blockIdx.x + 1) % gridDim.x + 1);
}
