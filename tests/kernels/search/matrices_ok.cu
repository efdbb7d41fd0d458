// A block copies several matrices through one tile; a barrier keeps the next from overwriting what others still read.
// weakspot: search
// expect: none

__global__ void transpose(const float* in, float* out, long elements, long width, long height, long unused) {
  __shared__ float tile[32][33];
  const long matrices = elements / (width * height), size = width * height;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32;
  for (int i = 0; i < 8; ++i) {
    const unsigned m = blockIdx.z * 8 + i;
    if (m >= matrices) break;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
      if (x >= height || y + j >= width) continue;
      tile[j][threadIdx.x] = in[m * size + (y + j) * height + x];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
      if (ty + j >= height || tx >= width) continue;
      out[m * size + (ty + j) * width + tx] = tile[threadIdx.x][j];
    }
    __syncthreads();
  }
}
