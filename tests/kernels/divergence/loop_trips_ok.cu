// All threads make the same number of rounds and the work inside is conditional.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none

__global__ void rounds(int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = t;
  const int mine = t < 32 ? 2 : 3;
  for (int r = 0; r < 3; ++r) {
    if (r < mine) {
      x[t] += r;
    }
  }
  __syncthreads();
  out[t] = x[63 - t];
}
