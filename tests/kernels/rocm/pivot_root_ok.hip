// A barrier follows the read of the pivot.
// weakspot: launch grid=1 block=256
// weakspot: arg matrix=float[64] values=20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20,1,1,1,1,1,1,1,1,20
// expect: none
#include <hip/hip_runtime.h>

__global__ void factor(float* matrix) {
  __shared__ float a[64];
  const int t = threadIdx.x;
  if (t < 64) a[t] = matrix[t];
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    const float pivot = sqrtf(a[k * 8 + k]);
    __syncthreads();
    if (t == 0) a[k * 8 + k] = pivot;
    if (t > k && t < 8) a[t * 8 + k] /= pivot;
    __syncthreads();
    const int row = t / 8, column = t % 8;
    if (row < 8 && row > k && column > k) a[row * 8 + column] -= a[row * 8 + k] * a[column * 8 + k];
    __syncthreads();
  }
  if (t < 64) matrix[t] = a[t];
}
