// The number of rounds differs between the two warps, so one is at the barrier of the loop while the other
// is past it.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: divergence D2 @a @b

__global__ void rounds(int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = t;
  const int mine = t < 32 ? 2 : 3;
  for (int r = 0; r < mine; ++r) {
    x[t] += r;
    __syncthreads();  // @a
  }
  __syncthreads();  // @b
  out[t] = x[63 - t];
}
