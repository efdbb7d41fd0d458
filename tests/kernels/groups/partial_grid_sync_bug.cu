// Only block 0 calls the grid barrier, and waits there for ever.
// weakspot: launch grid=3 block=32
// weakspot: arg part=int[3]
// weakspot: arg out=int[1]
// expect: divergence D4 @a

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void collect(int* part, int* out) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x * 10;
  }
  if (blockIdx.x == 0) {
    grid.sync();  // @a
    if (threadIdx.x == 0) {
      *out = part[0];
    }
  }
}
