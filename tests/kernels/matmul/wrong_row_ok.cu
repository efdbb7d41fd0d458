// Every thread writes its own element of the product.
// weakspot: launch grid=1 block=8,8
// weakspot: arg a=int[64] fill=iota
// weakspot: arg b=int[64] fill=iota
// weakspot: arg c=int[64]
// expect: none

__global__ void multiply(const int* a, const int* b, int* c) {
  const int row = threadIdx.y, col = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += a[row * 8 + k] * b[k * 8 + col];
  }
  c[row * 8 + col] = sum;
}
