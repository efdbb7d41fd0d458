// SPDX-License-Identifier: MIT
// A library that a program opens while it runs, several times under several names: its kernel, its variables and its
// shared memory have the same names each time.
#ifndef SHARED
#define SHARED 32
#endif

__device__ int calls = START;
__managed__ int last;

__global__ void work(int* out) {
  __shared__ int part[SHARED];
  part[threadIdx.x] = threadIdx.x;
#ifndef RACY
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    *out = part[SHARED - 1];
    last = ++calls;
  }
}

extern "C" int run(int* out) {
  work<<<1, SHARED>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? last : -1;
}
