// A step of Gaussian elimination that clears the pivot column in the same phase in which others read their
// factor from it.
// weakspot: launch grid=1 block=8,8
// weakspot: arg a=float[64] fill=random:1:9
// weakspot: arg k=2
// expect: race E1 global a @read @write

__global__ void eliminate(float* a, int k) {
  const int row = threadIdx.y, col = threadIdx.x;
  const float factor = a[row * 8 + k] / a[k * 8 + k];  // @read
  if (row > k && col >= k) {
    a[row * 8 + col] -= factor * a[k * 8 + col];  // @write
  }
}
