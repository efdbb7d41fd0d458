// SPDX-License-Identifier: MIT
// C = A * B of 256 x 256, by tiles of 16 x 16 in shared memory.
// weakspot: launch grid=16,16 block=16,16
// weakspot: arg a=float[65536] fill=one
// weakspot: arg b=float[65536] fill=one
// weakspot: arg c=float[65536]
__global__ void matmul(const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < 256; tile += 16) {
    tile_a[y][x] = a[row * 256 + tile + x];
    tile_b[y][x] = b[(tile + y) * 256 + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * 256 + column] = sum;
}
