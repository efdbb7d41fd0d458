// Each round of the loop ends with a barrier, and another follows the loop.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: redundant @a

__global__ void subtract_sum(const int* in, int* out) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) {
      x[t] += x[t + step];
    }
    __syncthreads();
  }
  __syncthreads();  // @a
  out[t] = in[t] - x[0];
}
