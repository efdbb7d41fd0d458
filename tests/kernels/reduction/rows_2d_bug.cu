// Each row of a 2D block reduces its own row of the tile, but the index leaves out the pitch: rows overlap.
// weakspot: launch grid=1 block=16,4
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[4]
// expect: race E1 shared tile @a @a
// expect: race E1 shared tile @b @b

__global__ void row_sums(const int* in, int* out) {
  __shared__ int tile[64];
  const int x = threadIdx.x;
  const int row = threadIdx.y * 8;
  tile[row + x] = in[threadIdx.y * 16 + x];  // @a
  __syncthreads();
  for (int step = 8; step > 0; step /= 2) {
    if (x < step) {
      tile[row + x] += tile[row + x + step];  // @b
    }
    __syncthreads();
  }
  if (x == 0) {
    out[threadIdx.y] = tile[row];
  }
}
