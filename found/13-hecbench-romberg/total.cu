// SPDX-License-Identifier: MIT
// The first lanes of a warp store a sum each, and lane 0 adds them up at once.
#include <cstdio>

constexpr int THREADS = 64, ROWS = 16, BLOCKS = 1024;

__global__ void total(const double* in, double* out) {
  __shared__ double sums[THREADS * ROWS];
  for (int i = 0; i < ROWS; ++i) sums[threadIdx.x * ROWS + i] = in[threadIdx.x * ROWS + i];
  __syncthreads();
  if (threadIdx.x < ROWS) {
    double sum = 0;
    for (int i = threadIdx.x; i < THREADS * ROWS; i += ROWS) sum += sums[i];
    sums[threadIdx.x] = sum;
  }
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    double all = 0;
    for (int i = 0; i < ROWS; ++i) all += sums[i];
    out[blockIdx.x] = all;
  }
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  double *in, *out;
  cudaMallocManaged(&in, THREADS * ROWS * sizeof(double));
  cudaMallocManaged(&out, BLOCKS * sizeof(double));
  for (int i = 0; i < THREADS * ROWS; ++i) in[i] = 1;
  total<<<BLOCKS, THREADS>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;

  int wrong = 0;
  for (int i = 0; i < BLOCKS; ++i) wrong += out[i] != THREADS * ROWS;
  printf("%d of %d totals are wrong\n", wrong, BLOCKS);
  return wrong != 0;
}
