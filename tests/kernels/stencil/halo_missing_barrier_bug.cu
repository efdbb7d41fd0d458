// One-dimensional stencil: the halo and the middle are loaded by different threads, and read without a
// barrier.
// weakspot: launch grid=3 block=64
// weakspot: arg in=float[192] fill=random
// weakspot: arg out=float[192]
// weakspot: arg n=192
// expect: race E1 shared tile @mid @use
// expect: race E1 shared tile @left @use

__global__ void blur(const float* in, float* out, int n) {
  __shared__ float tile[66];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int s = threadIdx.x + 1;
  tile[s] = in[i];  // @mid
  if (threadIdx.x == 32) {
    tile[0] = i > 32 ? in[i - 33] : 0.0f;  // @left
  }
  if (threadIdx.x == 63) {
    tile[65] = i + 1 < n ? in[i + 1] : 0.0f;
  }
  out[i] = (tile[s - 1] + tile[s] + tile[s + 1]) / 3.0f;  // @use
}
