// The rows are as far apart as they are wide.
// weakspot: search
// expect: none

__global__ void fill(float* m, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    m[y * width + x] = x + y * 0.5f;
  }
}
