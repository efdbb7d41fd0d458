// Matrix times vector: the threads of a row add their products to the result plainly.
// weakspot: launch grid=4 block=32
// weakspot: arg a=float[128] fill=random
// weakspot: arg x=float[32] fill=random
// weakspot: arg y=float[4]
// expect: race E1 global y @a @a

__global__ void matvec(const float* a, const float* x, float* y) {
  const int row = blockIdx.x, col = threadIdx.x;
  y[row] += a[row * 32 + col] * x[col];  // @a
}
