// A tile is filled with the functions of cuda::ptx. Only the first thread waits for the bytes, and the others for
// nothing.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[128]
// expect: race E1 shared tile @copy @read
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void reverse(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * 64, sizeof tile, &full);  // @copy
  }
  if (threadIdx.x == 0) while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];  // @read
}
