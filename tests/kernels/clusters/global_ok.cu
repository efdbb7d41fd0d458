// A cluster barrier orders accesses to global memory among the blocks of a cluster; they keep to their part of it.
// weakspot: launch grid=6 block=32
// weakspot: arg mid=int[192]
// weakspot: arg out=int[192]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(3, 1, 1) rotate(int* mid, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.x / 3 * 96;
  mid[i] = i;
  cluster.sync();
  out[i] = mid[first + (cluster.thread_rank() + 32) % cluster.num_threads()];
}
