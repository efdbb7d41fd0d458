// Inclusive scan of a block with shuffles: one shared word per warp, written before a barrier and read
// after it.
// weakspot: launch grid=1 block=128
// weakspot: arg data=int[128] fill=random
// expect: none

__global__ void scan(int* data) {
  __shared__ int warp_total[4];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  int value = data[threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) {
      value += left;
    }
  }
  if (lane == 31) {
    warp_total[warp] = value;
  }
  __syncthreads();
  for (int w = 0; w < warp; ++w) {
    value += warp_total[w];
  }
  data[threadIdx.x] = value;
}
