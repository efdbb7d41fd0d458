// All threads of the cluster come to its barrier, whatever they have to do.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// weakspot: arg n=127
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) turn(int* out, int n) {
  __shared__ int x[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[threadIdx.x] = i;
  cluster.sync();
  if (i >= 64 && i < n) out[i] = *cluster.map_shared_rank(&x[threadIdx.x], 0);
  cluster.sync();
}
