// A loop over rows with both of its barriers.
// weakspot: search
// expect: none

__global__ void turn(const float* in, float* out, int rows, int step) {
  __shared__ float line[256];
  for (int r = 0; r < rows; r += step) {
    line[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * rows + r) * blockDim.x + threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}
