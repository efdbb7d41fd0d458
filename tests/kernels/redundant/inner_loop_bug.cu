// The loop over rows needs a barrier per row, the loop over columns does not, and has one: with either of
// the two barriers the other can go.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[32]
// expect: redundant @a
// expect: redundant @b

__global__ void rows(const int* in, int* out) {
  __shared__ int row[32];
  const int t = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < 4; ++r) {
    row[t] = in[r * 32 + t];
    __syncthreads();
    for (int c = 0; c < 32; ++c) {
      sum += row[c] * (c + t);
      __syncthreads();  // @a
    }
    __syncthreads();  // @b
  }
  out[t] = sum;
}
