// The neighbour is taken from the whole grid: blocks of other clusters are not ordered by the barrier.
// weakspot: launch grid=6 block=32
// weakspot: arg mid=int[192]
// weakspot: arg out=int[192]
// expect: race E1 global mid @a @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(3, 1, 1) rotate(int* mid, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 32 + threadIdx.x;
  mid[i] = i;  // @a
  cluster.sync();
  out[i] = mid[(i + 32) % 192];  // @b
}
