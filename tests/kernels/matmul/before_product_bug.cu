// Tiled product without the barrier between loading the tiles and multiplying them.
// weakspot: launch grid=2,2 block=8,8
// weakspot: arg a=float[256] fill=random
// weakspot: arg b=float[256] fill=random
// weakspot: arg c=float[256]
// weakspot: arg n=16
// expect: race E2 shared as @la @use
// expect: race E1 shared bs @lb @use
// expect(lockstep): race E1 shared bs @lb @use

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float as[8][8], bs[8][8];
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int col = blockIdx.x * 8 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 8) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];    // @la
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];  // @lb
    for (int i = 0; i < 8; ++i) {
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];  // @use
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}
