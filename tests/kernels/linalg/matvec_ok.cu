// Matrix times vector: the threads of a row add their products in shared memory, with barriers.
// weakspot: launch grid=4 block=32
// weakspot: arg a=float[128] fill=random
// weakspot: arg x=float[32] fill=random
// weakspot: arg y=float[4]
// expect: none

__global__ void matvec(const float* a, const float* x, float* y) {
  const int row = blockIdx.x, col = threadIdx.x;
  __shared__ float part[32];
  part[col] = a[row * 32 + col] * x[col];
  for (int step = 16; step > 0; step /= 2) {
    __syncthreads();
    if (col < step) {
      part[col] += part[col + step];
    }
  }
  if (col == 0) {
    y[row] = part[0];
  }
}
