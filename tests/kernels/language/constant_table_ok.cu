// A filter from constant memory, read by all threads at once: reads never race.
// weakspot: launch grid=2 block=32
// weakspot: arg in=float[66] fill=random
// weakspot: arg out=float[64]
// expect: none

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};

__global__ void filter(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 3; ++k) {
    sum += weights[k] * in[i + k];
  }
  out[i] = sum;
}
