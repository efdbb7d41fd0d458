// Threads beyond the end return before the barrier of the whole grid.
// weakspot: launch grid=3 block=64
// weakspot: arg in=int[160] fill=iota
// weakspot: arg mid=int[160]
// weakspot: arg out=int[160]
// weakspot: arg n=160
// expect: divergence D3 @a @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(const int* in, int* mid, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;  // @b
  }
  mid[i] = in[i] + 1;
  cg::this_grid().sync();  // @a
  out[i] = mid[n - 1 - i];
}
