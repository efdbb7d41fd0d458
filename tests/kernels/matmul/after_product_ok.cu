// Tiled product that keeps the barrier at the end of the loop; it matters as soon as there is a second
// tile.
// weakspot: launch grid=1,1 block=8,8
// weakspot: arg a=int[128] fill=random
// weakspot: arg b=int[128] fill=random
// weakspot: arg c=int[64]
// weakspot: arg depth=16
// expect: none

__global__ void multiply(const int* a, const int* b, int* c, int depth) {
  __shared__ int as[8][8];
  __shared__ int bs[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
  for (int k = 0; k < depth; k += 8) {
    as[y][x] = a[y * depth + k + x];
    bs[y][x] = b[(k + y) * 8 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      sum += as[y][i] * bs[i][x];
    }
    __syncthreads();
  }
  c[y * 8 + x] = sum;
}
