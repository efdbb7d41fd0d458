// Lanes below 16 have a barrier of their own and meet the others one barrier late.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// weakspot: arg smooth=1
// expect: divergence D1 @a @b

__global__ void rotate(const int* in, int* out, int smooth) {
  __shared__ int x[32], y[32];
  const int t = threadIdx.x;
  x[t] = in[t];
  y[t] = in[t];
  if (smooth && t < 16) {
    __syncthreads();  // @a
    y[t] += x[(t + 1) % 32];
  }
  __syncthreads();  // @b
  out[t] = y[(t + 16) % 32];
}
