// Threads without work skip the work but not the barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[48] fill=random
// weakspot: arg out=int[48]
// weakspot: arg n=48
// expect: none

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  if (t < n) {
    x[t] = in[t];
  }
  __syncthreads();
  if (t < n) {
    out[t] = x[n - 1 - t];
  }
}
