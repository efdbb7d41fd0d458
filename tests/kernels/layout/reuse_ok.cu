// A barrier stands between the two uses of the scratch array.
// weakspot: launch grid=1 block=64 shared=256
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void twice(const int* in, int* out) {
  extern __shared__ int scratch[];
  const int t = threadIdx.x;
  scratch[t] = in[t];
  __syncthreads();
  const int other = scratch[63 - t];
  __syncthreads();
  scratch[t] = other * other;
  __syncthreads();
  out[t] = scratch[(t + 5) % 64];
}
