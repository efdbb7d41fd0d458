// A counter in a __device__ variable, incremented plainly by one thread of each block.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random
// expect: race E1 global rejected @a @a

__device__ int rejected;

__global__ void check(const int* in) {
  const bool bad = in[blockIdx.x * blockDim.x + threadIdx.x] < 0;
  const int any = __syncthreads_or(bad);
  if (threadIdx.x == 0) {
    rejected += any ? 1 : 0;  // @a
  }
}
