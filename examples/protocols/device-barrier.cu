// SPDX-License-Identifier: MIT
// A barrier of all blocks, made of a counter: what a block wrote before it, every block sees behind it.
// weakspot: launch grid=3 block=1
// weakspot: arg count=int[1]
// weakspot: arg data=int[3]
#include <cassert>

__device__ void barrier(int* count, int all) {
  __threadfence();
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
