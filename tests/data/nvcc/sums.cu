// SPDX-License-Identifier: MIT
// A program as any other: arguments, standard input, files, an exit code. Its kernel forgets a barrier.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void sum(const int* in, int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = in[threadIdx.x];
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = part[0];
}

int main(int argc, char** argv) {
  int first = 0;
  if (std::scanf("%d", &first) != 1) first = 0;
  int host[64], total = 0, *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = first + i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof total);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(in, out);
  cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", argc > 1 ? argv[1] : "none", total);
  if (argc > 2 && std::strcmp(argv[2], "abort") == 0) std::abort();
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
