// The threads meet again before the next row.
// weakspot: search
// expect: none
struct View {
  const float* data;
  struct {
    int rows, columns;
  } size;
  int pitch;
};
__global__ void row_sums(View view, float* sums) {
  __shared__ float tile[512];
  for (int row = 0; row < view.size.rows; ++row) {
    tile[threadIdx.x] = threadIdx.x < view.size.columns ? view.data[row * view.pitch + threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      float sum = 0;
      for (int i = 0; i < blockDim.x; ++i) sum += tile[i];
      sums[row] = sum;
    }
    __syncthreads();
  }
}
