// The neighbour's element is read: the barrier is needed.
// weakspot: search
// expect: none

__global__ void scale(const float* in, float* out, int n) {
  __shared__ float x[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) {
    out[i] = x[t] * 2.0f + x[(t + 1) % blockDim.x];
  }
}
