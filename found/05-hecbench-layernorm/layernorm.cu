// SPDX-License-Identifier: MIT
// A block adds up its values twice through the same shared array. The first warp of the second sum stores to the
// element that slower warps may still have to read as the total of the first.
#include <cmath>
#include <cstdio>

constexpr int ROWS = 1024;
constexpr int COLUMNS = 256;  // also the threads of a block

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float sums[32];
#ifdef FIXED
  __syncthreads();
#endif
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = warp_sum(value);
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
    if (lane == 0) sums[0] = value;
  }
  __syncthreads();
  return sums[0];
}

__global__ void normalise(const float* in, float* out) {
  const int i = blockIdx.x * COLUMNS + threadIdx.x;
  const float mean = block_sum(in[i]) / COLUMNS;
  const float variance = block_sum((in[i] - mean) * (in[i] - mean)) / COLUMNS;
  out[i] = (in[i] - mean) * rsqrtf(variance + 1e-5f);
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  float *in, *out;
  cudaMallocManaged(&in, ROWS * COLUMNS * sizeof(float));
  cudaMallocManaged(&out, ROWS * COLUMNS * sizeof(float));
  for (int i = 0; i < ROWS * COLUMNS; ++i) in[i] = static_cast<float>(i * 2654435761u >> 16) / 65536;
  normalise<<<ROWS, COLUMNS>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int row = 0; row < ROWS; ++row) {
    const float *from = in + row * COLUMNS, *to = out + row * COLUMNS;
    double mean = 0, variance = 0;
    for (int i = 0; i < COLUMNS; ++i) mean += from[i] / COLUMNS;
    for (int i = 0; i < COLUMNS; ++i) variance += (from[i] - mean) * (from[i] - mean) / COLUMNS;
    bool right = true;
    for (int i = 0; i < COLUMNS; ++i) right &= std::fabs(to[i] - (from[i] - mean) / std::sqrt(variance + 1e-5)) < 1e-3;
    wrong += !right;
  }
  printf("%d of %d rows are wrong\n", wrong, ROWS);
  return wrong != 0;
}
