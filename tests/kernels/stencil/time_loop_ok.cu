// Several time steps in one shared array: one barrier after reading, one after writing.
// weakspot: launch grid=2 block=64
// weakspot: arg data=float[128] fill=random
// weakspot: arg steps=4
// expect: none

__global__ void diffuse(float* data, int steps) {
  __shared__ float u[64];
  const int t = threadIdx.x;
  u[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float left = u[(t + 63) % 64];
    __syncthreads();
    u[t] = 0.5f * (left + u[t]);
    __syncthreads();
  }
  data[blockIdx.x * 64 + t] = u[t];
}
