// A ring of four rows: a row is read two rounds after it was written, so neighbouring phases never
// conflict, and yet the barrier is needed.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[512] fill=random
// weakspot: arg out=int[512]
// expect: none

__global__ void delayed(const int* in, int* out) {
  __shared__ int ring[4][64];
  const int t = threadIdx.x;
  for (int r = 0; r < 8; ++r) {
    ring[r % 4][t] = in[r * 64 + t];
    __syncthreads();
    if (r >= 2) {
      out[r * 64 + t] = ring[(r - 2) % 4][63 - t];
    }
  }
}
