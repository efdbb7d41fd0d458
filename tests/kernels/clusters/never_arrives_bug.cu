// The second block of each cluster does not come to the barrier before it waits for a flag that is set behind it.
// weakspot: launch grid=2 block=32
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: divergence D4 @a

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) late(int* flag, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) {
    cluster.sync();  // @a
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    cluster.sync();
  }
  if (cluster.thread_rank() == 0) *out = 1;
}
