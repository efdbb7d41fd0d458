// Many blocks, checked on all processors, with both barriers.
// weakspot: launch grid=96 block=128
// weakspot: arg in=float[12288] fill=random
// weakspot: arg out=float[12288]
// expect: none
__global__ void smooth(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float sum = 0;
  for (int step = 0; step < 16; ++step) {
    tile[t] = in[(i + step) % 12288];
    __syncthreads();
    sum += tile[127 - t];
    __syncthreads();
  }
  out[i] = sum;
}
