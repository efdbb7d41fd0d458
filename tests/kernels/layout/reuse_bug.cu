// The scratch array gets a second use while some threads are still busy with the first.
// weakspot: launch grid=1 block=64 shared=256
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared scratch @r @w

__global__ void twice(const int* in, int* out) {
  extern __shared__ int scratch[];
  const int t = threadIdx.x;
  scratch[t] = in[t];
  __syncthreads();
  const int other = scratch[63 - t];  // @r
  scratch[t] = other * other;         // @w
  __syncthreads();
  out[t] = scratch[(t + 5) % 64];
}
