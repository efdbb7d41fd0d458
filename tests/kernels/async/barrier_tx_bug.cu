// A bulk copy of cuda::barrier. All threads arrive, and nobody waits.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[128]
// expect: race E1 shared tile @copy @read
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void reverse(const int* in, int* out) {
  __shared__ alignas(16) int tile[64];
  __shared__ barrier full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in + blockIdx.x * 64, cuda::aligned_size_t<16>(sizeof tile), full);  // @copy
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
  } else {
    token = full.arrive();
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];  // @read
}
