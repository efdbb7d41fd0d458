// Each block writes into the next one once all have met; they need not order anything for that.
// weakspot: launch grid=4 block=64
// weakspot: arg out=int[256]
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) turn(int* out) {
  __shared__ int x[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned int next = (cluster.block_rank() + 1) % cluster.num_blocks();
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;");
  *cluster.map_shared_rank(&x[threadIdx.x], next) = blockIdx.x;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}
