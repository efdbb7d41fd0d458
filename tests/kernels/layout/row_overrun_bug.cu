// Each warp shifts its row by one and so writes one element past it, into the row of the next warp.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: race E1 shared rows @zero @shift

__global__ void shift_rows(const int* in, int* out) {
  __shared__ int rows[80];
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x / 32 * 32;
  if (lane == 0) {
    rows[row] = -1;  // @zero
  }
  rows[row + lane + 1] = in[threadIdx.x];  // @shift
  __syncthreads();
  out[threadIdx.x] = rows[row + 31 - lane];
}
