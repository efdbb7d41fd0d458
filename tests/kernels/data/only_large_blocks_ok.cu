// The tree has a barrier in every step, whatever its size.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[1]
// expect: none

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
      const int other = x[t + step];
      __syncwarp();
      x[t] += other;
      __syncwarp();
    }
  }
  if (t == 0) {
    *out = x[0];
  }
}
