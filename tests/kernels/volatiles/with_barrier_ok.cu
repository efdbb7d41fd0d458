// A volatile array used with barriers like any other: ordered, hence silent.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void sum(const int* in, int* out) {
  __shared__ volatile int x[64];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      x[t] = x[t] + x[t + step];
    }
    __syncthreads();
  }
  out[t] = x[0];
}
