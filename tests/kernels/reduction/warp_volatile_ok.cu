// The same sum with shuffles: values travel through registers and no memory is shared.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[1]
// expect: none

__global__ void warp_sum(const int* in, int* out) {
  const int lane = threadIdx.x;
  int sum = in[lane] + in[lane + 32];
  for (int step = 16; step > 0; step >>= 1) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  }
  if (lane == 0) {
    *out = sum;
  }
}
