// The branch that few inputs open comes after the barrier.
// weakspot: search
// expect: none

__global__ void inspect(const int* in, int* out, int n) {
  __shared__ int line[256];
  const int t = threadIdx.x;
  line[t] = in[t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = line[blockDim.x - 1 - t];
  if (n == 77 && in[0] == 42) {
    out[blockIdx.x * blockDim.x + t] = line[(t + 1) % blockDim.x];
  }
}
