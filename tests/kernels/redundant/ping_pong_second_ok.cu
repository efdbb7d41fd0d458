// With two buffers one barrier per round is enough.
// weakspot: launch grid=1 block=64
// weakspot: arg data=float[64] fill=random
// weakspot: arg rounds=5
// expect: none

__global__ void smooth(float* data, int rounds) {
  __shared__ float x[2][64];
  const int t = threadIdx.x;
  int now = 0;
  x[0][t] = data[t];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    const float value = 0.5f * (x[now][t] + x[now][(t + 1) % 64]);
    x[1 - now][t] = value;
    __syncthreads();
    now = 1 - now;
  }
  data[t] = x[now][t];
}
