// All threads of the block write the data, and thread 0 sets the flag without waiting for the others.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[64]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[64]
// expect: race E1 global data @w @r

__global__ void pass(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;  // @w
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
    out[t] = data[63 - t];  // @r
  }
}
