// SPDX-License-Identifier: MIT
// Every word is read once, so that each read finds shadow memory untouched.
// weakspot: launch grid=256 block=256
// weakspot: arg in=float[4194304] fill=one
// weakspot: arg out=float[256]
// weakspot: arg n=4194304
__global__ void reduction(const float* in, float* out, int n) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
