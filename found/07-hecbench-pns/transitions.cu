// SPDX-License-Identifier: MIT
// The threads of a block draw transitions at random. Those that draw the same one add a mark to the same place by a
// plain read and write.
#include <cstdio>

constexpr int PLACES = 968;
constexpr int THREADS = 256;

__global__ void fire(const unsigned* draws, int* places) {
  const unsigned place = draws[threadIdx.x] % PLACES;
#ifndef FIXED
  places[place]++;
#else
  atomicAdd(&places[place], 1);
#endif
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  unsigned* draws;
  int* places;
  cudaMallocManaged(&draws, THREADS * sizeof(unsigned));
  cudaMallocManaged(&places, PLACES * sizeof(int));
  unsigned state = 1;
  for (int i = 0; i < THREADS; ++i) draws[i] = (state = state * 1664525u + 1013904223u) >> 8;
  for (int i = 0; i < PLACES; ++i) places[i] = 0;
  fire<<<1, THREADS>>>(draws, places);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int marks = 0;
  for (int i = 0; i < PLACES; ++i) marks += places[i];
  printf("%d marks for %d transitions\n", marks, THREADS);
  return marks != THREADS;
}
