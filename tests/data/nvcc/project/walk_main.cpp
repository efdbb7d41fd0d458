// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

void clear_counter();
int walk_on_device(int steps, int* count);

int main(int argc, char** argv) {
  int devices = 0, count = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 2;
  clear_counter();
  const int to = walk_on_device(argc > 1 ? std::atoi(argv[1]) : 1, &count);
  std::printf("walked %d steps to %d\n", count, to);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
