// SPDX-License-Identifier: MIT
// The same without the fence before the turn is given on.
// weakspot: launch grid=2 block=2
// weakspot: arg turn=int[1]
// weakspot: arg result=int[2]
// weakspot: assert result[0] == 3 && result[1] == 3 && turn[0] == 2

__global__ void split_k(int* turn, int* result) {
  const int part = blockIdx.x;
  if (threadIdx.x == 0) {
    while (*(volatile int*)turn != part) {
    }
    __threadfence();
  }
  __syncthreads();
  result[threadIdx.x] += part + 1;
  __syncthreads();
  if (threadIdx.x == 0) *(volatile int*)turn = part + 1;
}
