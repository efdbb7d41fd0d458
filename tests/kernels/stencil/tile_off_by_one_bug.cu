// Blocks should cover 62 points each, but their tiles advance by 61: the last point of a block is the first
// of the next, with another value.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[192] fill=random
// weakspot: arg out=int[192]
// expect: race E1 global out @a @a

__global__ void sharpen(const int* in, int* out) {
  __shared__ int tile[64];
  const int base = blockIdx.x * 61;
  const int t = threadIdx.x;
  tile[t] = in[base + t];
  __syncthreads();
  if (t > 0 && t < 63) {
    out[base + t] = 2 * tile[t] - (tile[t - 1] + tile[t + 1]) / 2 + static_cast<int>(blockIdx.x);  // @a
  }
}
