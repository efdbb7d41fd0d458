// One barrier after each row; the inner loop only reads.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[32]
// expect: none

__global__ void rows(const int* in, int* out) {
  __shared__ int row[32];
  const int t = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < 4; ++r) {
    row[t] = in[r * 32 + t];
    __syncthreads();
    for (int c = 0; c < 32; ++c) {
      sum += row[c] * (c + t);
    }
    __syncthreads();
  }
  out[t] = sum;
}
