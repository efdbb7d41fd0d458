// Threads beyond the end return before the barrier that the rest of the block waits at; what they should
// have written is read later.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[100] fill=random
// weakspot: arg out=int[2]
// weakspot: arg n=100
// expect: divergence D3 @a
// allow: divergence D3 @b

__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i >= n) {
    return;
  }
  sums[t] = in[i];
  __syncthreads();  // @a
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      sums[t] += sums[t + step];
    }
    __syncthreads();  // @b
  }
  if (t == 0) {
    out[blockIdx.x] = sums[0];
  }
}
