// Every block adds its sum to one word of global memory with a plain read and write: updates get lost.
// weakspot: launch grid=4 block=64
// weakspot: arg in=int[256] fill=random
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

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
    *total += sums[0];  // @a
  }
}
