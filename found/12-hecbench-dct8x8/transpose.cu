// SPDX-License-Identifier: MIT
// The lanes of a warp add up the rows of blocks of 8 x 8 numbers, which each lane has stored a column of, and then the
// columns of what comes out. Nothing stands between a store by one lane and the read by another.
#include <cstdio>

constexpr int SIDE = 8, LANES = 32, PITCH = LANES + 1, BLOCKS = 1024;

__device__ void add_up(int* numbers) {
  for (int i = 1; i < SIDE; ++i) numbers[i] += numbers[i - 1];
}

__device__ void wait() {
#ifdef FIXED
  __syncwarp();
#endif
}

__global__ void sums(const int* in, int* out) {
  __shared__ int block[SIDE * PITCH];
  const int lane = threadIdx.x, first = lane - lane % SIDE;
  int* column = block + lane;
  int* row = block + lane % SIDE * PITCH + first;
  int numbers[SIDE];
  for (int i = 0; i < SIDE; ++i) column[i * PITCH] = in[(blockIdx.x * SIDE + i) * LANES + lane];
  wait();
  for (int i = 0; i < SIDE; ++i) numbers[i] = row[i];
  add_up(numbers);
  for (int i = 0; i < SIDE; ++i) row[i] = numbers[i];
  wait();
  for (int i = 0; i < SIDE; ++i) numbers[i] = column[i * PITCH];
  add_up(numbers);
  for (int i = 0; i < SIDE; ++i) out[(blockIdx.x * SIDE + i) * LANES + lane] = numbers[i];
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  constexpr int COUNT = BLOCKS * SIDE * LANES;
  int *in, *out;
  cudaMallocManaged(&in, COUNT * sizeof(int));
  cudaMallocManaged(&out, COUNT * sizeof(int));
  for (int i = 0; i < COUNT; ++i) in[i] = 1;
  sums<<<BLOCKS, LANES>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong += out[i] != (i / LANES % SIDE + 1) * (i % SIDE + 1);
  printf("%d of %d sums are wrong\n", wrong, COUNT);
  return wrong != 0;
}
