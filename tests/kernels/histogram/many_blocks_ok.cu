// Blocks add to common counters and write results of their own.
// weakspot: launch grid=96 block=128
// weakspot: arg in=int[12288] fill=random
// weakspot: arg counts=int[64]
// weakspot: arg out=int[12288]
// expect: none
__global__ void count(const int* in, int* counts, int* out) {
  __shared__ int own[64];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t < 64) own[t] = 0;
  __syncthreads();
  for (int step = 0; step < 16; ++step) atomicAdd(&own[in[(i + step) % 12288] % 64], 1);
  __syncthreads();
  if (t < 64) atomicAdd(&counts[t], own[t]);
  out[i] = own[t % 64];
}
