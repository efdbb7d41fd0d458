// Each warp has a row with room for the shifted element.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none

__global__ void shift_rows(const int* in, int* out) {
  __shared__ int rows[80];
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x / 32 * 33;
  if (lane == 0) {
    rows[row] = -1;
  }
  rows[row + lane + 1] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = rows[row + 31 - lane];
}
