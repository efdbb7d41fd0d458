// A matrix of 16 columns whose rows are said to be 12 apart: the ends of rows overlap the next ones.
// weakspot: launch grid=1 block=16,8
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[128]
// weakspot: arg columns=16
// weakspot: arg stride=12
// expect: race I1 global out @a @a

__global__ void copy_rows(const int* in, int* out, int columns, int stride) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (column < columns) {
    out[row * stride + column] = in[row * columns + column];  // @a
  }
}
