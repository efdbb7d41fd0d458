// The last warp sums in lock step. Since independent thread scheduling, lanes may run apart: unordered
// accesses to sums.
// weakspot: launch grid=1 block=32
// weakspot: arg in=float[64] fill=random
// weakspot: arg out=float[1]
// expect: race E2 shared sums @a @a
// expect(lockstep): none

__global__ void warp_sum(const float* in, float* out) {
  __shared__ float sums[64];
  const int lane = threadIdx.x;
  sums[lane] = in[lane];
  sums[lane + 32] = in[lane + 32];
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    sums[lane] += sums[lane + step];  // @a
  }
  if (lane == 0) {
    *out = sums[0];
  }
}
