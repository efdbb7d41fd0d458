// A named barrier that expects 96 threads is reached by 64, who wait for ever.
// weakspot: launch grid=1 block=96
// weakspot: arg out=int[64]
// expect: divergence D4 @a

__global__ void first_two_warps(int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  if (t < 64) {
    x[t] = t;
    asm volatile("bar.sync 1, 96;" ::: "memory");  // @a
    out[t] = x[63 - t];
  }
}
