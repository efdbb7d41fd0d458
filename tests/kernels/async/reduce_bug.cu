// Blocks add their tiles to one total in bulk; such additions are atomic with each other. No proxy fence lets them
// see what the threads wrote.
// weakspot: launch grid=4 block=32
// weakspot: arg total=uint[32]
// expect: race P1 shared part @write @add
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void sum(unsigned* total) {
  __shared__ alignas(128) unsigned part[32];
  part[threadIdx.x] = blockIdx.x + threadIdx.x;  // @write
  __syncwarp();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, part, sizeof part);  // @add
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
