// The condition of the inner barrier is the same for the whole block.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// weakspot: arg smooth=1
// expect: none

__global__ void rotate(const int* in, int* out, int smooth) {
  __shared__ int x[32], y[32];
  const int t = threadIdx.x;
  x[t] = in[t];
  y[t] = in[t];
  if (smooth) {
    __syncthreads();
    y[t] += x[(t + 1) % 32];
  }
  __syncthreads();
  out[t] = y[(t + 16) % 32];
}
