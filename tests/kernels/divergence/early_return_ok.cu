// Threads beyond the end stay, write a neutral element and take part in every barrier.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[100] fill=random
// weakspot: arg out=int[2]
// weakspot: arg n=100
// expect: none

__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      sums[t] += sums[t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = sums[0];
  }
}
