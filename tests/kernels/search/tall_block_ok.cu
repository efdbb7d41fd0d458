// A block of one column: whatever is tried for blockDim.x must leave room for y.
// weakspot: search
// expect: none
__global__ void smooth(const float* in, float* out) {
  __shared__ float tile[128];
  const int i = blockIdx.y * 120 + (int)threadIdx.y - 4;
  if (threadIdx.x == 0 && threadIdx.y < 128 && i < 516) tile[threadIdx.y] = in[(i < 0 ? 0 : i) * 512 + blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0 && (int)threadIdx.y >= 4 && (int)threadIdx.y < 124 && i < 512) {
    float sum = 0;
    for (int k = -4; k <= 4; ++k) sum += tile[threadIdx.y + k];
    out[i * 512 + blockIdx.x] = sum;
  }
}
