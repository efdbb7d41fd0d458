// All arrive at the barrier that the copies are tied to, and nobody waits there.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: race E1 shared tile @a @b
#include <cuda/barrier>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> gate;
  if (threadIdx.x == 0) init(&gate, blockDim.x);
  __syncthreads();
  const int base = blockIdx.x * 64;
  cuda::memcpy_async(&tile[threadIdx.x], &in[base + threadIdx.x], sizeof(int), gate);  // @a
  (void)gate.arrive();
  __syncthreads();
  out[base + threadIdx.x] = tile[63 - threadIdx.x];  // @b
}
