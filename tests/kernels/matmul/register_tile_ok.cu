// Each thread computes a 2x2 tile of the product in a local array; the shared tiles are guarded by two
// barriers.
// weakspot: launch grid=1 block=4,4
// weakspot: arg a=float[128] fill=random
// weakspot: arg b=float[128] fill=random
// weakspot: arg c=float[64]
// expect: none

__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float as[8][4], bs[4][8];
  float acc[2][2] = {};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < 16; k += 4) {
    for (int r = 0; r < 2; ++r) {
      as[2 * y + r][x] = a[(2 * y + r) * 16 + k + x];
      bs[y][2 * x + r] = b[(k + y) * 8 + 2 * x + r];
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
      for (int r = 0; r < 2; ++r) {
        for (int s = 0; s < 2; ++s) {
          acc[r][s] += as[2 * y + r][i] * bs[i][2 * x + s];
        }
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r) {
    for (int s = 0; s < 2; ++s) {
      c[(2 * y + r) * 8 + 2 * x + s] = acc[r][s];
    }
  }
}
