// A tile is fetched in bulk, changed by the threads, and sent back in bulk. Each thread fences the proxy behind its
// change.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[128] fill=iota
// expect: none
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void add_one(int* data) {
  __shared__ alignas(128) int tile[64];
  __shared__ barrier full;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(tile, data + blockIdx.x * 64, sizeof tile, full);
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
  } else {
    token = full.arrive();
  }
  full.wait(static_cast<barrier::arrival_token&&>(token));
  tile[threadIdx.x] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data + blockIdx.x * 64, tile, sizeof tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}
