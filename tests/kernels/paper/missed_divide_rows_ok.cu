// Each thread keeps the divisor of its row in a register.
// weakspot: launch grid=1 block=8,8
// weakspot: arg matrix=float[64] fill=random
// weakspot: arg divisor=float[8] fill=one
// expect: none

__global__ void divide_rows(float* matrix, const float* divisor) {
  const int row = threadIdx.y, column = threadIdx.x;
  const float inverse = 1.0f / divisor[row];
  matrix[row * 8 + column] *= inverse;
}
