// Prefetching into the buffer that is being read: the two halves of the double buffer are never swapped.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[64]
// expect: race E1 shared tile @load @use

__global__ void convolve(const float* in, float* out) {
  __shared__ float tile[2][64];
  const int t = threadIdx.x;
  float sum = 0.0f;
  int now = 0;
  tile[0][t] = in[t];
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    const int next = now;
    sum += tile[now][63 - t];  // @use
    if (k < 3) {
      tile[next][t] = in[(k + 1) * 64 + t];  // @load
    }
    now = next;
  }
  out[t] = sum;
}
