// Tiled transpose with a padded tile and a barrier between filling and reading it.
// weakspot: launch grid=2,2 block=16,16
// weakspot: arg in=float[1024] fill=random
// weakspot: arg out=float[1024]
// weakspot: arg n=32
// expect: none

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 16 + threadIdx.x;
  const int ty = blockIdx.x * 16 + threadIdx.y;
  out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
}
