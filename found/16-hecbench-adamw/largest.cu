// SPDX-License-Identifier: MIT
// The threads that have an element find the largest one of their warp, by shuffles that name all its lanes.
#include <cstdio>

constexpr int LANES = 32, COUNT = 1000;

__global__ void largest(const int* in, int* out) {
  const int i = blockIdx.x * LANES + threadIdx.x;
#ifndef FIXED
  if (i >= COUNT) return;
#endif
  int value = i < COUNT ? in[i] : -COUNT;
  for (int half = LANES / 2; half > 0; half /= 2) value = max(value, __shfl_down_sync(0xffffffff, value, half));
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  constexpr int BLOCKS = (COUNT + LANES - 1) / LANES;
  int *in, *out;
  cudaMallocManaged(&in, COUNT * sizeof(int));
  cudaMallocManaged(&out, BLOCKS * sizeof(int));
  for (int i = 0; i < COUNT; ++i) in[i] = i - COUNT;
  largest<<<BLOCKS, LANES>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int i = 0; i < BLOCKS - 1; ++i) wrong += out[i] != (i + 1) * LANES - 1 - COUNT;
  wrong += out[BLOCKS - 1] != -1;
  printf("%d of %d warps are wrong\n", wrong, BLOCKS);
  return wrong != 0;
}
