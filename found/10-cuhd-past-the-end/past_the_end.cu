// SPDX-License-Identifier: MIT
// Every thread reads the four words of its subsequence and two behind them. The input has one word behind the last.
#include <cstdio>

constexpr int SUBSEQUENCES = 128;
constexpr int UNITS = 4;  // words of a subsequence

__global__ void decode(const unsigned* in, unsigned* out) {
  const int own = threadIdx.x;
  unsigned window = in[own * UNITS];
  unsigned next = in[own * UNITS + 1];
  unsigned sum = 0;
  for (int unit = 1; unit <= UNITS; ++unit) {
    sum += window ^ next;
    window = in[own * UNITS + unit];
    next = in[own * UNITS + unit + 1];  // in the last round, one word further than the padding
  }
  out[own] = sum + (window & next & 1);
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
#ifndef FIXED
  const int words = SUBSEQUENCES * UNITS + 1;
#else
  const int words = SUBSEQUENCES * UNITS + 2;
#endif
  unsigned *in, *out;
  cudaMalloc(&in, words * sizeof(unsigned));
  cudaMalloc(&out, SUBSEQUENCES * sizeof(unsigned));
  cudaMemset(in, 0, words * sizeof(unsigned));
  decode<<<1, SUBSEQUENCES>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
