// The barrier stands outside the bounds checks and all threads reach it.
// weakspot: launch grid=2,2 block=16,16
// weakspot: arg in=float[576] fill=random
// weakspot: arg out=float[576]
// weakspot: arg n=24
// expect: none

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) {
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  }
  __syncthreads();
  const int tx = blockIdx.y * 16 + threadIdx.x;
  const int ty = blockIdx.x * 16 + threadIdx.y;
  if (tx < n && ty < n) {
    out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
  }
}
