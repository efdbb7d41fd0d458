// Each row of the block keeps its divisor in shared memory, once per thread: nobody reads another's slot,
// and the barrier orders nothing.
// weakspot: launch grid=1 block=8,8
// weakspot: arg matrix=float[64] fill=random
// weakspot: arg divisor=float[8] fill=one
// expect: redundant @a

__global__ void divide_rows(float* matrix, const float* divisor) {
  const int row = threadIdx.y, column = threadIdx.x;
  __shared__ float inverse[8][8];
  inverse[row][column] = 1.0f / divisor[row];
  __syncthreads();  // @a
  matrix[row * 8 + column] *= inverse[row][column];
}
