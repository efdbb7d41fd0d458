// SPDX-License-Identifier: MIT
// The same without the fence before the arrival.
// weakspot: launch grid=2 block=1
// weakspot: arg count=int[1]
// weakspot: arg sense=int[1]
// weakspot: arg data=int[2]
#include <cassert>

__device__ void barrier(int* count, volatile int* sense, int all, int mine) {
  const bool last = atomicAdd(count, 1) == all - 1;
  if (last) {
    *count = 0;
    __threadfence();
    *sense = mine;
  } else {
    while (*sense != mine) {
    }
    __threadfence();
  }
}

__global__ void rounds(int* count, volatile int* sense, int* data) {
  const int me = blockIdx.x;
  data[me] = me + 1;
  barrier(count, sense, gridDim.x, 1);
  assert(data[1 - me] == 2 - me);
  barrier(count, sense, gridDim.x, 2);
  data[me] = 0;
}
