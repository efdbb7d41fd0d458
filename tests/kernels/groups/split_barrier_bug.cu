// A split barrier: the block arrives but reads what the others wrote without waiting.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared x @w @r

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rotate(const int* in, int* out) {
  __shared__ int x[64];
  __shared__ Barrier gate;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&gate, blockDim.x);
  }
  __syncthreads();
  x[t] = in[t];  // @w
  Barrier::arrival_token token = gate.arrive();
  const int mine = in[t] * 2;
  out[t] = x[(t + 1) % 64] + mine;  // @r
  gate.wait(static_cast<Barrier::arrival_token&&>(token));
}
