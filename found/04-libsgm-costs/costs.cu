// SPDX-License-Identifier: MIT
// A warp finds the cheapest of 32 costs of every column. Lane 0 then reads the two neighbours of the cheapest from
// shared memory, while the other lanes may already store the costs of the next column there.
#include <cstdio>

constexpr int COLUMNS = 4096;

__global__ void refine(const int* costs, int* refined) {
  __shared__ int column[32];
  const int lane = threadIdx.x;
  for (int x = 0; x < COLUMNS; ++x) {
    column[lane] = costs[x * 32 + lane];  // of the next column, while lane 0 reads below
    __syncwarp();
    int best = column[lane] * 32 + lane;
    for (int step = 16; step > 0; step /= 2) best = min(best, __shfl_xor_sync(0xffffffffu, best, step));
    const int place = best % 32;
    if (lane == 0) refined[x] = place > 0 && place < 31 ? column[place - 1] - column[place + 1] : 0;
#ifdef FIXED
    __syncwarp();
#endif
  }
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  int *costs, *refined;
  cudaMallocManaged(&costs, COLUMNS * 32 * sizeof(int));
  cudaMallocManaged(&refined, COLUMNS * sizeof(int));
  for (int i = 0; i < COLUMNS * 32; ++i) costs[i] = static_cast<int>(i * 2654435761u >> 20);
  refine<<<1, 32>>>(costs, refined);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int x = 0; x < COLUMNS; ++x) {
    const int* column = costs + x * 32;
    int place = 0;
    for (int i = 1; i < 32; ++i) place = column[i] < column[place] ? i : place;
    wrong += refined[x] != (place > 0 && place < 31 ? column[place - 1] - column[place + 1] : 0);
  }
  printf("%d of %d columns are wrong\n", wrong, COLUMNS);
  return wrong != 0;
}
