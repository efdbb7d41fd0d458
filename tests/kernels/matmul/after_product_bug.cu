// Tiled product without the barrier at the end of the loop: a fast warp loads the next tile while others
// still multiply.
// weakspot: launch grid=1,1 block=8,8
// weakspot: arg a=int[128] fill=random
// weakspot: arg b=int[128] fill=random
// weakspot: arg c=int[64]
// weakspot: arg depth=16
// expect: race E2 shared as @la @use
// expect: race E1 shared bs @lb @use
// expect(lockstep): race E1 shared bs @lb @use

__global__ void multiply(const int* a, const int* b, int* c, int depth) {
  __shared__ int as[8][8];
  __shared__ int bs[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
  for (int k = 0; k < depth; k += 8) {
    as[y][x] = a[y * depth + k + x];  // @la
    bs[y][x] = b[(k + y) * 8 + x];    // @lb
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      sum += as[y][i] * bs[i][x];  // @use
    }
  }
  c[y * 8 + x] = sum;
}
