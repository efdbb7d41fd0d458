// Warp sums go to shared memory and the first warp adds them up, without a barrier in between.
// weakspot: launch grid=2 block=128
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[2]
// expect: race E1 shared warp_sums @a @b

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, step);
  }
  return value;
}

__global__ void block_sum(const float* in, float* out) {
  __shared__ float warp_sums[4];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) {
    warp_sums[warp] = sum;  // @a
  }
  if (warp == 0) {
    sum = lane < 4 ? warp_sums[lane] : 0.0f;  // @b
    sum = warp_sum(sum);
    if (lane == 0) {
      out[blockIdx.x] = sum;
    }
  }
}
