// The barrier matters only when the reach is not zero.
// weakspot: search
// expect: none

__global__ void window_max(const float* in, int reach, float* out) {
  __shared__ float x[256];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  float high = x[t];
  for (int d = 0; d <= reach; ++d) {
    high = fmaxf(high, x[(t + d) % blockDim.x]);
  }
  out[blockIdx.x * blockDim.x + t] = high;
}
