// The barrier stands inside the bounds check, so the threads beyond the edge of the matrix leave without
// it.
// weakspot: launch grid=2,2 block=16,16
// weakspot: arg in=float[576] fill=random
// weakspot: arg out=float[576]
// weakspot: arg n=24
// expect: divergence D3 @a

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) {
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();  // @a
    out[x * n + y] = tile[threadIdx.y][threadIdx.x];
  }
}
