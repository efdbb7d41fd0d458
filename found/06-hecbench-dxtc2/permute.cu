// SPDX-License-Identifier: MIT
// Sixteen lanes of a warp permute an array in shared memory by one statement. A lane may store before another has read.
#include <cstdio>

constexpr int BLOCKS = 1024;

__global__ void permute(const int* ranks, int* out) {
  __shared__ int colours[16];
  const int i = threadIdx.x;
  if (i < 16) colours[i] = i;
  __syncthreads();
  if (i < 16) {
#ifndef FIXED
    colours[ranks[i]] = colours[i];
#else
    const int colour = colours[i];
    __syncwarp(0xffff);
    colours[ranks[i]] = colour;
#endif
  }
  __syncthreads();
  if (i < 16) out[blockIdx.x * 16 + i] = colours[i];
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  int *ranks, *out;
  cudaMallocManaged(&ranks, 16 * sizeof(int));
  cudaMallocManaged(&out, BLOCKS * 16 * sizeof(int));
  for (int i = 0; i < 16; ++i) ranks[i] = i * 7 % 16;
  permute<<<BLOCKS, 64>>>(ranks, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int block = 0; block < BLOCKS; ++block) {
    bool right = true;
    for (int i = 0; i < 16; ++i) right &= out[block * 16 + ranks[i]] == i;
    wrong += !right;
  }
  printf("%d of %d blocks are wrong\n", wrong, BLOCKS);
  return wrong != 0;
}
