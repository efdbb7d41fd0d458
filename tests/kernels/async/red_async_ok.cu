// Blocks of a cluster count in the shared memory of the first with red.async, which is atomic. Each block fences the
// proxy behind the barrier: the zero is written in one block, and the updates come from both.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=uint[1]
// expect: none
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void count(unsigned* out) {
  __shared__ unsigned counter;
  __shared__ uint64_t done;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    counter = 0;
    ptx::mbarrier_init(&done, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &done, 256);
  }
  cluster.sync();
  ptx::fence_proxy_async(ptx::space_cluster);
  const unsigned to = (unsigned)__cvta_generic_to_shared(cluster.map_shared_rank(&counter, 0));
  const unsigned at = (unsigned)__cvta_generic_to_shared(cluster.map_shared_rank(&done, 0));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),
               "r"(1), "r"(at)
               : "memory");
  if (cluster.block_rank() == 0) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &done, 0)) {}
    if (threadIdx.x == 0) out[0] = counter;
  }
  cluster.sync();
}
