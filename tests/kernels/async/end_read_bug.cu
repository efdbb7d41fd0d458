// Each block reads the sum of the next one. Nothing keeps that block from ending before.
// weakspot: launch grid=4 block=64 cluster=4
// weakspot: arg in=int[256] fill=iota
// weakspot: arg out=int[4]
// expect: invalid @read
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void next_sum(const int* in, int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
  cluster.sync();
  if (threadIdx.x == 0) {
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    out[blockIdx.x] = *cluster.map_shared_rank(&sum, next);  // @read
  }
}
