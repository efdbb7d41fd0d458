// Tiled product with both barriers: after loading the tiles, and after using them.
// weakspot: launch grid=2,2 block=8,8
// weakspot: arg a=float[256] fill=random
// weakspot: arg b=float[256] fill=random
// weakspot: arg c=float[256]
// weakspot: arg n=16
// expect: none

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float as[8][8], bs[8][8];
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int col = blockIdx.x * 8 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 8) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}
