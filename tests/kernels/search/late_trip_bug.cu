// The tile is filled again before all threads have read it: with a single trip there is nothing to see.
// weakspot: search
// expect: race E1 shared tile @fill @use

__global__ void sum_tiles(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int base = 0; base < n; base += 64) {
    tile[t] = in[base + t];  // @fill
    __syncthreads();
    sum += tile[63 - t];  // @use
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
