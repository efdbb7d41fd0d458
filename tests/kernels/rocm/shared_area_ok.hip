// A barrier stands between the last load of the one and the store of the other.
// weakspot: launch grid=1 block=128
// weakspot: arg gradient=float[128] fill=random
// weakspot: arg bias=float[128] fill=random
// weakspot: arg out=float[128]
// expect: none
#include <hip/hip_runtime.h>

__global__ void backward(const float* gradient, const float* bias, float* out) {
  __shared__ float area[128];
  const int t = threadIdx.x;
  area[t] = gradient[t];
  __syncthreads();
  float sum = area[127 - t];
  __syncthreads();
  area[t] = bias[t];
  __syncthreads();
  sum += area[t ^ 64];
  out[t] = sum;
}
