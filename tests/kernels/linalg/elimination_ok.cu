// A step of Gaussian elimination: the factor is read before a barrier, and the rows are updated after it.
// weakspot: launch grid=1 block=8,8
// weakspot: arg a=float[64] fill=random:1:9
// weakspot: arg k=2
// expect: none

__global__ void eliminate(float* a, int k) {
  const int row = threadIdx.y, col = threadIdx.x;
  const float factor = a[row * 8 + k] / a[k * 8 + k];
  __syncthreads();
  if (row > k && col >= k) {
    a[row * 8 + col] -= factor * a[k * 8 + col];
  }
}
