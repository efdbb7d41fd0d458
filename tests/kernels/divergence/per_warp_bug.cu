// The first warp waits at a barrier of its own branch, the second at that of the other.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: divergence D2 @a @b

__global__ void two_roles(int* out) {
  __shared__ int low[32], high[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    low[lane] = lane;
    __syncthreads();  // @a
  } else {
    high[lane] = -lane;
    __syncthreads();  // @b
  }
  out[blockIdx.x * 64 + threadIdx.x] = low[31 - lane] + high[31 - lane];
}
