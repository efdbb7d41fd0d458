// The barriers count 64 threads, and the bounds of the launch rule out blocks of more.
// weakspot: search
// expect: none
#include <cassert>

__global__ void __launch_bounds__(64) pairs(const int* in, int* out) {
  __shared__ int line[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  assert(blockDim.x == 64);
  line[threadIdx.x] = in[i];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[i] = line[63 - threadIdx.x];
}
