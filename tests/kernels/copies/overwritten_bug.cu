// The next copy into the buffer starts while other threads still read the last tile.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared tile @a @b
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out) {
  __shared__ int tile[64];
  const cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    cg::memcpy_async(block, tile, in + 64 * k, sizeof tile);  // @a
    cg::wait(block);
    sum += tile[63 - threadIdx.x];  // @b
  }
  out[threadIdx.x] = sum;
}
