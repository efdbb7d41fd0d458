// Copies whose end a cuda::barrier waits for: who passes it may read all of them.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none
#include <cuda/barrier>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> gate;
  if (threadIdx.x == 0) init(&gate, blockDim.x);
  __syncthreads();
  const int base = blockIdx.x * 64;
  cuda::memcpy_async(&tile[threadIdx.x], &in[base + threadIdx.x], sizeof(int), gate);
  gate.arrive_and_wait();
  out[base + threadIdx.x] = tile[63 - threadIdx.x];
}
