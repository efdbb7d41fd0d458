// A step of Gaussian elimination that clears the pivot column in the same phase in which others read their
// factor from it.
// weakspot: launch grid=1 block=64,4
// weakspot: arg a=float[256] fill=random:1:9
// weakspot: arg k=1
// expect: race E1 global a @read @write

__global__ void eliminate(float* a, int k) {
  const int row = threadIdx.y, col = threadIdx.x;
  const float factor = a[row * 64 + k] / a[k * 64 + k];  // @read
  if (row > k && col >= k) {
    a[row * 64 + col] -= factor * a[k * 64 + col];  // @write
  }
}
