// Every block adds its sum to one word of global memory atomically.
// weakspot: launch grid=4 block=64
// weakspot: arg in=int[256] fill=random
// weakspot: arg total=int[1]
// expect: none

__global__ void sum_all(const int* in, int* total) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * 64 + tid];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (tid < step) {
      sums[tid] += sums[tid + step];
    }
    __syncthreads();
  }
  if (tid == 0) {
    atomicAdd(total, sums[0]);
  }
}
