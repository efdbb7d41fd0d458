// Two teams of two warps have a named barrier each and keep to their own data.
// weakspot: launch grid=1 block=128
// weakspot: arg out=int[128]
// expect: none

__global__ void teams(int* out) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  x[t] = 3 * t;
  if (t < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
  }
  out[t] = x[t ^ 63];
}
