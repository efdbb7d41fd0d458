// A grid-stride loop, a tree in shared memory, and one partial sum per block: every word has one writer.
// weakspot: launch grid=3 block=64
// weakspot: arg in=float[1000] fill=random
// weakspot: arg n=1000
// weakspot: arg partial=float[3]
// expect: none

__global__ void partial_sums(const float* in, int n, float* partial) {
  __shared__ float sums[64];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  sums[threadIdx.x] = sum;
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) {
      sums[threadIdx.x] += sums[threadIdx.x + step];
    }
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
  }
}
