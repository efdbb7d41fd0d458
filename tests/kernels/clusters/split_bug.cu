// What is written after arriving is not ordered by the wait of the others.
// weakspot: launch grid=4 block=64
// weakspot: arg p=int[256] fill=iota
// expect: race E1 shared x @a @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* p) {
  __shared__ int x[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  cluster.barrier_arrive();
  x[threadIdx.x] = p[i];  // @a
  cluster.barrier_wait();
  p[i] = *cluster.map_shared_rank(&x[threadIdx.x], cluster.block_rank() ^ 1);  // @b
  cluster.sync();
}
