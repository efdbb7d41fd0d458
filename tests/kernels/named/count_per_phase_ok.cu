// A named barrier expects another number of threads each time: one warp for itself, then both.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none

__global__ void one_then_both(int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  if (t < 32) {
    x[t] = t;
    asm volatile("bar.sync 1, 32;" ::: "memory");
    x[32 + t] = x[31 - t];
  }
  __syncthreads();  // while one warp is at the barrier, the other must not come with another number
  const int other = x[63 - t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  x[t] = other + 1;
  out[t] = x[t];
}
