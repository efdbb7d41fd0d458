// SPDX-License-Identifier: MIT
// Blocks add their parts to one result in turn: a semaphore says whose turn it is.
// weakspot: launch grid=3 block=2
// weakspot: arg turn=int[1]
// weakspot: arg result=int[2]
// weakspot: assert result[0] == 6 && result[1] == 6 && turn[0] == 3

__global__ void split_k(int* turn, int* result) {
  const int part = blockIdx.x;
  if (threadIdx.x == 0) {
    while (*(volatile int*)turn != part) {
    }
    __threadfence();
  }
  __syncthreads();
  result[threadIdx.x] += part + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *(volatile int*)turn = part + 1;
}
