// Tiles of 16 threads synchronise, but the exchange crosses the tiles.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: race E2 shared x @w @r
// expect(lockstep): none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange(const int* in, int* out) {
  __shared__ int x[32];
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  x[t] = in[t];  // @w
  tile.sync();
  out[t] = x[t ^ 16];  // @r
}
