// A race behind a branch that only one size together with one value opens.
// weakspot: search
// expect: race E1 shared line @store @peek

__global__ void inspect(const int* in, int* out, int n) {
  __shared__ int line[256];
  const int t = threadIdx.x;
  line[t] = in[t];  // @store
  if (n == 77 && in[0] == 42) {
    out[blockIdx.x * blockDim.x + t] = line[(t + 1) % blockDim.x];  // @peek
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = line[blockDim.x - 1 - t];
}
