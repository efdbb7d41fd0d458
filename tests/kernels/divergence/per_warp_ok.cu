// Each warp does its own work, and both wait at the same barrier.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: none

__global__ void two_roles(int* out) {
  __shared__ int low[32], high[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    low[lane] = lane;
  } else {
    high[lane] = -lane;
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = low[31 - lane] + high[31 - lane];
}
