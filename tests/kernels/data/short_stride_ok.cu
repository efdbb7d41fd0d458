// A matrix of 16 columns whose rows are 16 apart.
// weakspot: launch grid=1 block=16,8
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[128]
// weakspot: arg columns=16
// weakspot: arg stride=16
// expect: none

__global__ void copy_rows(const int* in, int* out, int columns, int stride) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (column < columns) {
    out[row * stride + column] = in[row * columns + column];
  }
}
