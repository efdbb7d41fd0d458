// SPDX-License-Identifier: MIT
// Every thread stores its own point, then corrects the points behind it until one agrees: also those of the next
// block, which no barrier orders against the stores of their owners.
#include <cstdio>

constexpr int BLOCKS = 16;
constexpr int THREADS = 128;
constexpr int POINTS = BLOCKS * THREADS;

__global__ void synchronise(int* points) {
  const int own = blockIdx.x * THREADS + threadIdx.x;
  const int chain = own % 5;
#ifndef FIXED
  const int end = POINTS;
#else
  const int end = (blockIdx.x + 1) * THREADS;
#endif
  bool agreed = false;
  for (int step = 0; step < THREADS; ++step) {
    const int current = own + step;
    if (!agreed && current < end) {
      if (step == 0) {
        points[current] = chain;
      } else {
        agreed = points[current] == chain;
        points[current] = chain;
      }
    }
    __syncthreads();
  }
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  int* points;
  cudaMallocManaged(&points, POINTS * sizeof(int));
  for (int i = 0; i < POINTS; ++i) points[i] = -1;
  synchronise<<<BLOCKS, THREADS>>>(points);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  // If every block kept to its own points, all blocks with the same first chain would have the same points.
  int different = 0;
  for (int block = 5; block < BLOCKS; ++block) {
    const int* of = points + block * THREADS;
    const int* before = points + (block - 5) * THREADS;
    bool same = true;
    for (int i = 0; i < THREADS; ++i) same &= of[i] == before[i];
    different += !same;
  }
  printf("%d of %d blocks differ from the block five before\n", different, BLOCKS - 5);
  return different != 0;
}
