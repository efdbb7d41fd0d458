// The block is held as a group, but its barrier is not called between filling and reading.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: race E1 shared x @w @r

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rotate(const int* in, int* out) {
  __shared__ int x[64];
  cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  x[t] = in[blockIdx.x * 64 + t];               // @w
  out[blockIdx.x * 64 + t] = x[(t + 33) % 64];  // @r
}
