// The output index forgets the column, so all threads of a row write their different sums to one element.
// weakspot: launch grid=1 block=8,8
// weakspot: arg a=int[64] fill=iota
// weakspot: arg b=int[64] fill=iota
// weakspot: arg c=int[64]
// expect: race E1 global c @a @a

__global__ void multiply(const int* a, const int* b, int* c) {
  const int row = threadIdx.y, col = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += a[row * 8 + k] * b[k * 8 + col];
  }
  c[row * 8] = sum;  // @a
}
