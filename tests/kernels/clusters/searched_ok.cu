// Inputs are searched, with grids that are made of whole clusters.
// weakspot: search
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) largest(const int* in, int* out, int n) {
  __shared__ int best;
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (cg::this_thread_block().thread_rank() == 0) best = 0;
  __syncthreads();
  if (i < n) atomicMax(&best, in[i]);
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    const int other = *cluster.map_shared_rank(&best, 1);
    out[blockIdx.x / 2] = best < other ? other : best;
  }
  cluster.sync();
}
