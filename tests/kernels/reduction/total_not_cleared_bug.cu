// The shared total is cleared by one thread, but the others may add to it before that.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[2]
// expect: race E1 shared total @a @b

__global__ void sum_blocks(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;  // @a
  }
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);  // @b
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = total;
  }
}
