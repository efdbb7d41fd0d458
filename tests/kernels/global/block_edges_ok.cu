// Each block writes its own elements alone, and the edges go to an array of their own.
// weakspot: launch grid=96 block=128
// weakspot: arg in=float[12288] fill=random
// weakspot: arg out=float[12288]
// weakspot: arg edges=float[96]
// expect: none
__global__ void spread(const float* in, float* out, float* edges) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < 64; ++step) sum += in[(i * 7 + step) % 12288];
  out[i] = sum;
  if (threadIdx.x == 127) edges[blockIdx.x] = -sum;
}
