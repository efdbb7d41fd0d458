// The shared total is cleared by one thread, and a barrier stands before the first addition.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[2]
// expect: none

__global__ void sum_blocks(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
  }
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = total;
  }
}
