// The last warp separates each read from each write with __syncwarp, which orders memory among its lanes.
// weakspot: launch grid=1 block=32
// weakspot: arg in=float[64] fill=random
// weakspot: arg out=float[1]
// expect: none

__global__ void warp_sum(const float* in, float* out) {
  __shared__ float sums[64];
  const int lane = threadIdx.x;
  sums[lane] = in[lane];
  sums[lane + 32] = in[lane + 32];
  for (int step = 32; step > 0; step >>= 1) {
    const float other = sums[lane + step];
    __syncwarp();
    sums[lane] += other;
    __syncwarp();
  }
  if (lane == 0) {
    *out = sums[0];
  }
}
