// Two phases over all blocks with a block barrier in between, which the other blocks do not take part in.
// weakspot: launch grid=3 block=32
// weakspot: arg in=int[96] fill=random
// weakspot: arg mid=int[96]
// weakspot: arg out=int[96]
// expect: race E1 global mid @w @r

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(const int* in, int* mid, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mid[i] = in[i] + 1;  // @w
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  out[i] = mid[95 - i];  // @r
}
