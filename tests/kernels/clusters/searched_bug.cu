// Inputs are searched: the other block may not have come as far as the first that reads its result.
// weakspot: search
// expect: race E1 shared best @a @b
// allow: race E1 shared best @c @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) largest(const int* in, int* out, int n) {
  __shared__ int best;
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (cg::this_thread_block().thread_rank() == 0) best = 0;  // @c
  __syncthreads();
  if (i < n) atomicMax(&best, in[i]);  // @a
  __syncthreads();
  if (cluster.thread_rank() == 0) {
    const int other = *cluster.map_shared_rank(&best, 1);  // @b
    out[blockIdx.x / 2] = best < other ? other : best;
  }
  cluster.sync();
}
