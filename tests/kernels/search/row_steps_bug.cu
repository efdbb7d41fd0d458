// No barrier at the end of a loop whose step is a parameter: a step that is large enough leaves one round only.
// weakspot: search
// expect: race E1 shared line @fill @use

__global__ void turn(const float* in, float* out, int rows, int step) {
  __shared__ float line[256];
  for (int r = 0; r < rows; r += step) {
    line[threadIdx.x] = in[r * blockDim.x + threadIdx.x];  // @fill
    __syncthreads();
    out[(blockIdx.x * rows + r) * blockDim.x + threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];  // @use
  }
}
