// Each tile of eight threads sums with shuffles, and its first thread writes the result.
// weakspot: launch grid=2 block=64
// weakspot: arg in=float[128] fill=random
// weakspot: arg out=float[16]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tile_sums(const float* in, float* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 4; step > 0; step /= 2) {
    sum += tile.shfl_down(sum, step);
  }
  if (tile.thread_rank() == 0) {
    out[blockIdx.x * 8 + threadIdx.x / 8] = sum;
  }
}
