// A histogram whose bins are spread over the blocks of a cluster and counted by atomics of the whole device.
// weakspot: launch grid=4 block=64
// weakspot: arg in=int[256] fill=random:0:63
// weakspot: arg bins=int[64]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int* bins) {
  __shared__ int counts[32];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  cluster.sync();
  const int bin = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(cluster.map_shared_rank(counts, bin / 32) + bin % 32, 1);
  cluster.sync();
  if (threadIdx.x < 32) atomicAdd(&bins[cluster.block_rank() * 32 + threadIdx.x], counts[threadIdx.x]);
}
