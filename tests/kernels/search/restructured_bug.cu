// Each thread came to keep its own element: the barrier between was left behind and orders nothing any more.
// weakspot: search
// expect: redundant @left

__global__ void scale(const float* in, float* out, int n) {
  __shared__ float x[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // @left
  x[t] = x[t] * 2.0f + 1.0f;
  if (i < n) {
    out[i] = x[t];
  }
}
