// The barrier at the end of the loop matters only when there is a second trip; with one tile it looks
// redundant.
// weakspot: launch grid=1 block=64
// weakspot: arg points=float[64] fill=random
// weakspot: arg n=64
// weakspot: arg best=float[64]
// weakspot: launch grid=1 block=64
// weakspot: arg points=float[128] fill=random
// weakspot: arg n=128
// weakspot: arg best=float[64]
// expect: none

__global__ void max_product(const float* points, int n, float* best) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float high = 0.0f;
  for (int base = 0; base < n; base += 64) {
    tile[t] = points[base + t];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      high = fmaxf(high, points[t] * tile[i]);
    }
    __syncthreads();
  }
  best[t] = high;
}
