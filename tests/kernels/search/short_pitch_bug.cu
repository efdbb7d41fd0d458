// Rows overlap only if the pitch is smaller than the width, which no caller means.
// weakspot: search
// expect: race I1 global m @cell @cell

__global__ void fill(float* m, int pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    m[y * pitch + x] = x + y * 0.5f;  // @cell
  }
}
