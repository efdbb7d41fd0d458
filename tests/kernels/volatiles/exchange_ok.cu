// Warps exchange values through a plain array with a barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void reverse(const int* in, int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  out[t] = x[63 - t];
}
