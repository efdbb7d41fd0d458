// Many blocks with a missing barrier each; they are checked on all processors.
// weakspot: launch grid=96 block=128
// weakspot: arg in=float[12288] fill=random
// weakspot: arg out=float[12288]
// expect: race E1 shared tile @write @read
__global__ void smooth(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float sum = 0;
  for (int step = 0; step < 16; ++step) {
    tile[t] = in[(i + step) % 12288];  // @write
    __syncthreads();
    sum += tile[127 - t];  // @read
  }
  out[i] = sum;
}
