// All threads add atomically, then one reads the total with a plain load without waiting for the others.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg mean=int[1]
// expect: race E1 shared total @a @b

__global__ void mean_of_block(const int* in, int* mean) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
  }
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);  // @a
  if (threadIdx.x == 0) {
    *mean = total / static_cast<int>(blockDim.x);  // @b
  }
}
