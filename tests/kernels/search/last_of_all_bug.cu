// The last block to finish adds up the parts, but no fence stands between a part and its ticket.
// weakspot: search
// expect: race E1 global parts @part @all

__device__ unsigned finished;

__global__ void reduce(const float* in, float* parts, float* out, int n) {
  __shared__ float sums[128];
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  if (t == 0) {
    for (unsigned i = 1; i < blockDim.x; ++i) sum += sums[i];
    parts[blockIdx.x] = sum;  // @part
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];  // @all
    out[0] = sum;
  }
}
