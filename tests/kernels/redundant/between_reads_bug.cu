// A barrier between two phases that only read.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg low=float[64]
// weakspot: arg high=float[64]
// expect: redundant @a

__global__ void neighbours(const float* in, float* low, float* high) {
  __shared__ float x[64];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  low[t] = fminf(x[t], x[(t + 1) % 64]);
  __syncthreads();  // @a
  high[t] = fmaxf(x[t], x[(t + 63) % 64]);
}
