// Two phases over all blocks with a grid barrier in between, in a cooperative launch.
// weakspot: launch grid=3 block=32
// weakspot: arg in=int[96] fill=random
// weakspot: arg mid=int[96]
// weakspot: arg out=int[96]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(const int* in, int* mid, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mid[i] = in[i] + 1;
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  out[i] = mid[95 - i];
}
