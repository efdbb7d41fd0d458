// The elements of different threads are apart unless the stride is zero.
// weakspot: launch grid=2 block=64
// weakspot: arg in=float[128] fill=iota
// weakspot: arg out=float[384]
// weakspot: arg stride=3
// expect: none

__global__ void spread(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = in[i];
}
