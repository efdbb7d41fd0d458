// All threads of the block add atomically, and a barrier stands between the additions and the plain load.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg mean=int[1]
// expect: none

__global__ void mean_of_block(const int* in, int* mean) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
  }
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    *mean = total / static_cast<int>(blockDim.x);
  }
}
