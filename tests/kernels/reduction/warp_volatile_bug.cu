// The old idiom of a volatile shared array in the last warp. Each access is strong, so there is no data
// race, but nothing orders the lanes: the sum depends on the schedule.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[1]
// expect: race W3 shared sums @a @a
// expect(lockstep): none

__global__ void warp_sum(const int* in, int* out) {
  const int lane = threadIdx.x;
  __shared__ volatile int sums[64];
  sums[lane] = in[lane];
  sums[lane + 32] = in[lane + 32];
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    sums[lane] = sums[lane] + sums[lane + step];  // @a
  }
  if (lane == 0) {
    *out = sums[0];
  }
}
