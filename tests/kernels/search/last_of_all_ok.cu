// The last block to finish adds up the parts, with a fence between a part and its ticket, and behind the ticket.
// weakspot: search
// expect: none

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
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && t == 0) {
    sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
  }
}
