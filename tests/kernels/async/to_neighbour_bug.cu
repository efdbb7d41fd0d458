// Each block of a cluster sends its tile to the other in bulk. No proxy fence lets the copy see what the threads
// wrote.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[64]
// expect: race P1 shared mine @write @copy
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void swap(int* out) {
  __shared__ alignas(128) int mine[32], theirs[32];
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, sizeof theirs);
  }
  mine[threadIdx.x] = blockIdx.x * 32 + threadIdx.x;  // @write
  cluster.sync();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(theirs, other), mine, sizeof mine,  // @copy
                       cluster.map_shared_rank(&full, other));
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
  out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x];
  cluster.sync();
}
