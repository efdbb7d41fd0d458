// A gradient and a bias use the same area in turn; the bias is stored while slow waves still load the gradient.
// weakspot: launch grid=1 block=128
// weakspot: arg gradient=float[128] fill=random
// weakspot: arg bias=float[128] fill=random
// weakspot: arg out=float[128]
// expect: race E1 shared area @r @w
#include <hip/hip_runtime.h>

__global__ void backward(const float* gradient, const float* bias, float* out) {
  __shared__ float area[128];
  const int t = threadIdx.x;
  area[t] = gradient[t];
  __syncthreads();
  float sum = area[127 - t];  // @r
  area[t] = bias[t];  // @w
  __syncthreads();
  sum += area[t ^ 64];
  out[t] = sum;
}
