// Blocks add their tiles to one total in bulk. An ordinary atomic goes through another proxy and is not atomic with
// them.
// weakspot: launch grid=2 block=32
// weakspot: arg total=uint[32]
// expect: race E1 global total @add @atomic
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void sum(unsigned* total) {
  __shared__ alignas(128) unsigned part[32];
  part[threadIdx.x] = blockIdx.x + threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (blockIdx.x == 1) {
    atomicAdd(&total[threadIdx.x], part[threadIdx.x]);  // @atomic
  } else if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, part, sizeof part);  // @add
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
