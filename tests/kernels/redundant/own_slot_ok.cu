// Each thread initialises and overwrites its own elements; only the exchange afterwards needs a barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg n=48
// weakspot: arg out=float[64]
// expect: none

__global__ void nearest(const float* in, int n, float* out) {
  __shared__ float best[64];
  const int t = threadIdx.x;
  best[t] = 1e30f;
  if (t < n) {
    best[t] = in[t] * in[t];
  }
  __syncthreads();
  out[t] = fminf(best[t], best[63 - t]);
}
