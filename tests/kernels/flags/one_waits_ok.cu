// Thread 0 of the consumer waits for the flag, and a barrier hands the news to the rest of the block.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[64]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[64]
// expect: none

__global__ void pass(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t];
  }
}
