// Each block also writes the first element of the next one. That is seen where blocks meet, on however many processors
// they run.
// weakspot: launch grid=96 block=128
// weakspot: arg in=float[12288] fill=random
// weakspot: arg out=float[12289]
// expect: race E1 global out @own @next
__global__ void spread(const float* in, float* out) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < 64; ++step) sum += in[(i * 7 + step) % 12288];
  out[i] = sum;                               // @own
  if (threadIdx.x == 127) out[i + 1] = -sum;  // @next
}
