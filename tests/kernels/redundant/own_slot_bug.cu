// A barrier between two writes of each thread to its own elements: no other thread is concerned before the
// next barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg n=48
// weakspot: arg out=float[64]
// expect: redundant @a

__global__ void nearest(const float* in, int n, float* out) {
  __shared__ float best[64];
  const int t = threadIdx.x;
  best[t] = 1e30f;
  __syncthreads();  // @a
  if (t < n) {
    best[t] = in[t] * in[t];
  }
  __syncthreads();
  out[t] = fminf(best[t], best[63 - t]);
}
