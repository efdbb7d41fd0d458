// Softmax of a row: the barrier of the last step of a reduction is enough.
// weakspot: launch grid=2 block=64
// weakspot: arg in=float[128] fill=random:0:5
// weakspot: arg out=float[128]
// expect: none

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
