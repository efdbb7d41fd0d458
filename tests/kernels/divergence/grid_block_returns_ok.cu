// The last block has nothing to do but to come to the barrier of the whole grid.
// weakspot: launch grid=3 block=64
// weakspot: arg mid=int[128]
// weakspot: arg out=int[128]
// weakspot: arg n=128
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(int* mid, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool busy = blockIdx.x * blockDim.x < n;
  if (busy) mid[i] = i;
  cg::this_grid().sync();
  if (busy) out[i] = mid[n - 1 - i];
}
