// Both barriers of the loop are needed, the second one only from the second trip on.
// weakspot: search
// expect: none

__global__ void sum_tiles(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int base = 0; base < n; base += 64) {
    tile[t] = in[base + t];
    __syncthreads();
    sum += tile[63 - t];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
