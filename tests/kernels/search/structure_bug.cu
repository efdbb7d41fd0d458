// The sizes and the array are members of a structure: the search makes them up. The tile is overwritten while the first
// thread still adds it up.
// weakspot: search
// expect: race E1 shared tile @write @read
// allow: race I1 shared tile @write @write
struct View {
  const float* data;
  struct {
    int rows, columns;
  } size;
  int pitch;
};
__global__ void row_sums(View view, float* sums) {
  __shared__ float tile[128];
  for (int row = 0; row < view.size.rows; ++row) {
    tile[threadIdx.x % 128] =  // @write
        threadIdx.x < view.size.columns ? view.data[row * view.pitch + threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      float sum = 0;
      for (int i = 0; i < 128; ++i) sum += tile[i];  // @read
      sums[row] = sum;
    }
  }
}
