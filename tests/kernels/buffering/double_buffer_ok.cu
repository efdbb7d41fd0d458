// While one half of the double buffer is read the next tile is loaded into the other; one barrier per tile.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[64]
// expect: none

__global__ void convolve(const float* in, float* out) {
  __shared__ float tile[2][64];
  const int t = threadIdx.x;
  float sum = 0.0f;
  int now = 0;
  tile[0][t] = in[t];
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    const int next = 1 - now;
    sum += tile[now][63 - t];
    if (k < 3) {
      tile[next][t] = in[(k + 1) * 64 + t];
    }
    now = next;
  }
  out[t] = sum;
}
