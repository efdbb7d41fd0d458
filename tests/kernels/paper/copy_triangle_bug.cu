// The lower triangle of a square matrix is copied to the upper one, but the test lets through elements
// above the diagonal as well.
// weakspot: launch grid=1 block=8,8
// weakspot: arg a=int[64] fill=iota
// weakspot: arg n=8
// expect: race E1 global a @a @a

__global__ void mirror_lower(int* a, int n) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (row != column && row < n && column < n) {
    a[column * n + row] = a[row * n + column];  // @a
  }
}
