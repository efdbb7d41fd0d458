// Each row of a 2D block reduces its own row of the tile, with a barrier for the whole block after every
// step.
// weakspot: launch grid=1 block=16,4
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[4]
// expect: none

__global__ void row_sums(const int* in, int* out) {
  __shared__ int tile[64];
  const int x = threadIdx.x;
  const int row = threadIdx.y * 16;
  tile[row + x] = in[threadIdx.y * 16 + x];
  __syncthreads();
  for (int step = 8; step > 0; step /= 2) {
    if (x < step) {
      tile[row + x] += tile[row + x + step];
    }
    __syncthreads();
  }
  if (x == 0) {
    out[threadIdx.y] = tile[row];
  }
}
