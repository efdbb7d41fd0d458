// Two reductions share one scratch array; each thread takes the first result before a barrier lets the
// second begin.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__device__ int block_max(int value, int* scratch) {
  const int tid = threadIdx.x;
  scratch[tid] = value;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) {
      scratch[tid] = max(scratch[tid], scratch[tid + step]);
    }
    __syncthreads();
  }
  const int result = scratch[0];
  __syncthreads();
  return result;
}

__global__ void spread(const int* in, int* out) {
  __shared__ int scratch[64];
  const int value = in[threadIdx.x];
  const int high = block_max(value, scratch);
  const int low = -block_max(-value, scratch);
  out[threadIdx.x] = high - low;
}
