// Tree reduction with a barrier after every step, reached by all threads.
// weakspot: launch grid=2 block=128
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[2]
// expect: none

__global__ void tree_sum(const float* in, float* out) {
  __shared__ float sums[128];
  const int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) {
      sums[tid] += sums[tid + step];
    }
    __syncthreads();
  }
  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
