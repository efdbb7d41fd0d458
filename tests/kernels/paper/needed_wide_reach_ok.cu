// The barrier matters only when the reach is not zero; with zero every thread reads its own element.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg reach=0
// weakspot: arg out=float[64]
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg reach=3
// weakspot: arg out=float[64]
// expect: none

__global__ void window_max(const float* in, int reach, float* out) {
  __shared__ float x[64];
  const int t = threadIdx.x;
  x[t] = in[t];
  __syncthreads();
  float high = x[t];
  for (int d = -reach; d <= reach; ++d) {
    high = fmaxf(high, x[(t + d + 64) % 64]);
  }
  out[t] = high;
}
