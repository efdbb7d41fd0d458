// A barrier separates the read of the sum from the next use of the array.
// weakspot: launch grid=2 block=256
// weakspot: arg x=float[512] fill=random:1:9
// weakspot: arg out=float[512]
// expect: none
#include <hip/hip_runtime.h>

__global__ void normalise(const float* x, float* out) {
  __shared__ float data[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  data[t] = x[i] * x[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) data[t] += data[t + step];
    __syncthreads();
  }
  const float scale = rsqrtf(data[0] / 256 + 1e-6f);
  __syncthreads();
  data[t] = x[i] * scale;
  __syncthreads();
  out[i] = data[t ^ 128];
}
