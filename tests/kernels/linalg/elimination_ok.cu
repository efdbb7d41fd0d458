// A step of Gaussian elimination: the factor is read before a barrier, and the rows are updated after it.
// weakspot: launch grid=1 block=64,4
// weakspot: arg a=float[256] fill=random:1:9
// weakspot: arg k=1
// expect: none

__global__ void eliminate(float* a, int k) {
  const int row = threadIdx.y, col = threadIdx.x;
  const float factor = a[row * 64 + k] / a[k * 64 + k];
  __syncthreads();
  if (row > k && col >= k) {
    a[row * 64 + col] -= factor * a[k * 64 + col];
  }
}
