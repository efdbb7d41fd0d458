// SPDX-License-Identifier: MIT
// Blocks store numbers and count themselves down; the last one reads what the others have stored.
#include <cstdio>

constexpr int THREADS = 128, BLOCKS = 512;

__global__ void last(int* numbers, int* left, long long* total) {
  numbers[blockIdx.x * THREADS + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
#ifdef FIXED
  __threadfence();
#endif
  if (atomicSub(left, 1) == 1) {
#ifdef FIXED
    __threadfence();
#endif
    long long sum = 0;
    for (int i = 0; i < BLOCKS * THREADS; ++i) sum += numbers[i];
    *total = sum;
  }
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  int *numbers, *left;
  long long* total;
  cudaMallocManaged(&numbers, BLOCKS * THREADS * sizeof(int));
  cudaMallocManaged(&left, sizeof(int));
  cudaMallocManaged(&total, sizeof(long long));
  for (int i = 0; i < BLOCKS * THREADS; ++i) numbers[i] = 0;
  *left = BLOCKS;
  last<<<BLOCKS, THREADS>>>(numbers, left, total);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  printf("the last block counts %lld of %d numbers\n", *total, BLOCKS * THREADS);
  return *total != BLOCKS * THREADS;
}
