// No barrier at the end of the loop. With w >= n there is one round only, which is not what the kernel relies on.
// weakspot: search
// expect: race E1 shared tile @fill @use

__global__ void tiles(const float* in, float* out, int n, int w) {
  __shared__ float tile[64];
  const int rounds = n / w;
  for (int r = 0; r < rounds; ++r) {
    tile[threadIdx.x] = in[r * 64 + threadIdx.x];  // @fill
    __syncthreads();
    out[(blockIdx.x * rounds + r) * 64 + threadIdx.x] = tile[threadIdx.x ^ 33];  // @use
  }
}
