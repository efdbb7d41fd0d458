// Threads without work return first. On recent devices the barrier counts only those that remain, and
// nothing needs the others: a matter of portability.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[48] fill=random
// weakspot: arg out=int[48]
// weakspot: arg n=48
// expect: divergence D3 @a

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  if (t >= n) {
    return;
  }
  x[t] = in[t];
  __syncthreads();  // @a
  out[t] = x[n - 1 - t];
}
