// Softmax of a row: each reduction ends with a barrier in its loop, and the author added one more after it.
// weakspot: launch grid=2 block=64
// weakspot: arg in=float[128] fill=random:0:5
// weakspot: arg out=float[128]
// expect: redundant @a

__global__ void softmax(const float* in, float* out) {
  __shared__ float x[64];
  const int t = threadIdx.x;
  const float value = in[blockIdx.x * 64 + t];
  x[t] = value;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      x[t] = fmaxf(x[t], x[t + step]);
    }
    __syncthreads();
  }
  __syncthreads();  // @a
  const float high = x[0];
  __syncthreads();
  const float power = 1.0f + (value - high) * (value - high);
  x[t] = power;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      x[t] += x[t + step];
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = power / x[0];
}
