// SPDX-License-Identifier: MIT
// A warp draws items out of a list: all lanes read the item, and lane 0 moves the last one into its place.
#include <cstdio>

constexpr int ITEMS = 64, LANES = 32, BLOCKS = 256;

__global__ void draw(int* drawn) {
  __shared__ int list[ITEMS];
  const int lane = threadIdx.x;
  for (int i = lane; i < ITEMS; i += LANES) list[i] = i;
  int left = ITEMS, sum = 0;
  while (left > 0) {
    __syncwarp();
    const int at = --left / 2;
    const int item = list[at];
    sum += item;
#ifdef FIXED
    __syncwarp();
#endif
    if (lane == 0) list[at] = list[left];
  }
  drawn[blockIdx.x * LANES + lane] = sum;
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  int* drawn;
  cudaMallocManaged(&drawn, BLOCKS * LANES * sizeof(int));
  draw<<<BLOCKS, LANES>>>(drawn);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int i = 0; i < BLOCKS * LANES; ++i) wrong += drawn[i] != ITEMS * (ITEMS - 1) / 2;
  printf("%d of %d lanes drew other items\n", wrong, BLOCKS * LANES);
  return wrong != 0;
}
