// The waits for a tile that another block fetched name no scope. By the text that is the scope of the block, which is
// too narrow; kernels in use rely on more. The report says so, and accuses nobody.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[64]
// expect: unmodelled @wait
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void spread(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, sizeof tile);
  }
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    const uint16_t both = 3;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &full, both);
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}  // @wait
  out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
  cluster.sync();
}
