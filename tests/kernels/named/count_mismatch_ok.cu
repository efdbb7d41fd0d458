// The named barrier expects just the threads that reach it.
// weakspot: launch grid=1 block=96
// weakspot: arg out=int[64]
// expect: none

__global__ void first_two_warps(int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  if (t < 64) {
    x[t] = t;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = x[63 - t];
  }
}
