// The mask names just the lanes that take part.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: none

__global__ void half_sum(const int* in, int* out) {
  __shared__ int total;
  const int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) {
    for (int step = 8; step > 0; step /= 2) {
      value += __shfl_down_sync(0x0000ffffu, value, step, 16);
    }
    if (lane == 0) {
      total = value;
    }
  }
  __syncthreads();
  out[lane] = total;
}
