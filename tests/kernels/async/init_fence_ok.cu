// The mbarrier of a block is used by the other one behind a relaxed barrier of the cluster. fence.mbarrier_init
// publishes its initialisation.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[32]
// expect: none
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void meet(int* out) {
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    ptx::mbarrier_init(&full, 32);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncwarp();
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (cluster.block_rank() == 1) {
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&full, 0));
  } else {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
    out[threadIdx.x] = 1;
  }
  cluster.sync();
}
