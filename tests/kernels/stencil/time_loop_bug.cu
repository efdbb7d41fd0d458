// Several time steps in one shared array: the new value is stored while neighbours still read the old one.
// weakspot: launch grid=2 block=64
// weakspot: arg data=float[128] fill=random
// weakspot: arg steps=4
// expect: race E1 shared u @a @b

__global__ void diffuse(float* data, int steps) {
  __shared__ float u[64];
  const int t = threadIdx.x;
  u[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float left = u[(t + 63) % 64];  // @a
    u[t] = 0.5f * (left + u[t]);          // @b
    __syncthreads();
  }
  data[blockIdx.x * 64 + t] = u[t];
}
