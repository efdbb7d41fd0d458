// Each block of a pair reads what the other has in shared memory, between two barriers of their cluster.
// weakspot: launch grid=4 block=64
// weakspot: arg p=int[256] fill=iota
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* p) {
  __shared__ int x[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[threadIdx.x] = p[i];
  cluster.sync();
  p[i] = *cluster.map_shared_rank(&x[threadIdx.x], cluster.block_rank() ^ 1);
  cluster.sync();
}
