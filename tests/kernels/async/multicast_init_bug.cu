// One block of a cluster fetches a tile for both. It may do so before the other has initialised its mbarrier.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[64]
// expect: race E1 shared full @init @copy
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void spread(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);  // @init
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, sizeof tile);
  }
  __syncthreads();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    const uint16_t both = 3;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &full, both);  // @copy
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
  out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
  cluster.sync();
}
