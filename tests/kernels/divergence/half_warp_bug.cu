// Half of a warp waits at one barrier and the other half at another.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// expect: divergence D1 @a @b

__global__ void halves(int* out) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  if (t < 16) {
    x[t] = t;
    __syncthreads();  // @a
  } else {
    x[t] = 2 * t;
    __syncthreads();  // @b
  }
  out[t] = x[31 - t];
}
