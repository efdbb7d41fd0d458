// A block writes into the shared memory of the other and arrives at its mbarrier. The arrival has the scope of the
// cluster.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[32]
// expect: none
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void send(int* out) {
  __shared__ int inbox[32];
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 32);
  cluster.sync();
  if (cluster.block_rank() == 1) {
    cluster.map_shared_rank(inbox, 0)[threadIdx.x] = threadIdx.x * 5;
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&full, 0));
  } else {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
    out[threadIdx.x] = inbox[31 - threadIdx.x];
  }
  cluster.sync();
}
