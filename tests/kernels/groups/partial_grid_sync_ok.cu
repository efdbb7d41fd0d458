// All blocks call the grid barrier, and only block 0 goes on to use the results.
// weakspot: launch grid=3 block=32
// weakspot: arg part=int[3]
// weakspot: arg out=int[1]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void collect(int* part, int* out) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x * 10;
  }
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *out = part[0] + part[1] + part[2];
  }
}
