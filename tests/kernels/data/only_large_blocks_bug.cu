// The tree assumes that 32 threads need no barrier and skips it for small steps, where lanes do run apart.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[1]
// expect: race E2 shared x @a @a
// expect(lockstep): none

__global__ void sum(const int* in, int* out) {
  __shared__ int x[160];
  const int t = threadIdx.x;
  x[t] = in[t];
  if (t < 32) {
    x[128 + t] = 0;
  }
  __syncthreads();
  for (int step = 64; step > 16; step /= 2) {
    if (t < step) {
      x[t] += x[t + step];
    }
    __syncthreads();
  }
  if (t < 32) {
    for (int step = 16; step > 0; step /= 2) {
      x[t] += x[t + step];  // @a
    }
  }
  if (t == 0) {
    *out = x[0];
  }
}
