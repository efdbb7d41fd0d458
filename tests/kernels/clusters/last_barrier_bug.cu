// The first block reads the others' shared memory, which may have ended by then.
// weakspot: launch grid=4 block=64
// weakspot: arg out=int[1]
// expect: invalid @a

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) total(int* out) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = blockIdx.x + 1;
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    int all = 0;
    for (unsigned int rank = 0; rank < cluster.num_blocks(); ++rank) {
      all += *cluster.map_shared_rank(&sum, rank);  // @a
    }
    *out = all;
  }
}
