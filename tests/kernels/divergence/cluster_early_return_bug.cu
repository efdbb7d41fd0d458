// A thread of the second block ends before the barrier of the cluster.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// weakspot: arg n=127
// expect: divergence D3 @a @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) turn(int* out, int n) {
  __shared__ int x[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;  // @b
  x[threadIdx.x] = i;
  cluster.sync();  // @a
  if (i >= 64) out[i] = *cluster.map_shared_rank(&x[threadIdx.x], 0);
  cluster.sync();
}
