// The block fetches no tile that it does not wait for.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[1024] fill=iota
// weakspot: arg tiles=4
// weakspot: arg out=int[128]
// expect: none
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__device__ void fetch(int* tile, const int* from, uint64_t* full) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 256);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, from, 256, full);
}
__global__ void sums(const int* in, int tiles, int* out) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  in += blockIdx.x * tiles * 64;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    fetch(tile[0], in, &full[0]);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    const bool more = i + 1 < tiles;
    if (threadIdx.x == 0 && more) fetch(tile[(i + 1) % 2], in + (i + 1) % tiles * 64, &full[(i + 1) % 2]);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full[i % 2], i / 2 % 2)) {}
    sum += tile[i % 2][63 - threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
