// A loop over two tiles with both of its barriers.
// weakspot: launch grid=2 block=64
// weakspot: arg in=float[128] fill=random
// weakspot: arg out=float[256]
// weakspot: arg n=128
// weakspot: arg w=64
// expect: none

__global__ void tiles(const float* in, float* out, int n, int w) {
  __shared__ float tile[64];
  const int rounds = n / w;
  for (int r = 0; r < rounds; ++r) {
    tile[threadIdx.x] = in[r * 64 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * rounds + r) * 64 + threadIdx.x] = tile[threadIdx.x ^ 33];
    __syncthreads();
  }
}
