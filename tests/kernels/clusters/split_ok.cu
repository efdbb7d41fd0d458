// Work that is the thread's own lies between arriving and waiting.
// weakspot: launch grid=4 block=64
// weakspot: arg p=int[256] fill=iota
// weakspot: arg own=int[256]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* p, int* own) {
  __shared__ int x[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[threadIdx.x] = p[i];
  cluster.barrier_arrive();
  own[i] = i;
  cluster.barrier_wait();
  p[i] = *cluster.map_shared_rank(&x[threadIdx.x], cluster.block_rank() ^ 1);
  auto token = cluster.barrier_arrive();
  own[i] += 1;
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
}
