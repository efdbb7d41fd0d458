// A tile is copied out with the functions of cuda::ptx. The proxy fence stands before the barrier.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: none
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void fill(int* out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x * 3;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 64, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
