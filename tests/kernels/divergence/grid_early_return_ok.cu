// Threads beyond the end have nothing to do, and come to the barrier of the whole grid all the same.
// weakspot: launch grid=3 block=64
// weakspot: arg in=int[160] fill=iota
// weakspot: arg mid=int[160]
// weakspot: arg out=int[160]
// weakspot: arg n=160
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(const int* in, int* mid, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    mid[i] = in[i] + 1;
  }
  cg::this_grid().sync();
  if (i < n) {
    out[i] = mid[n - 1 - i];
  }
}
