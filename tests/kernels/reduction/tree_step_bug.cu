// Tree reduction without a barrier between the steps: a step reads sums that another warp may not have
// written.
// weakspot: launch grid=2 block=128
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[2]
// expect: race E1 shared sums @a @a

__global__ void tree_sum(const float* in, float* out) {
  __shared__ float sums[128];
  const int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) {
      sums[tid] += sums[tid + step];  // @a
    }
  }
  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
