// A whole program: three buffers of a wave equation rotate; each launch reads two and writes the third.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void step(const float* before, const float* now, float* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    next[i] = 2.0f * now[i] - before[i] + 0.25f * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
  }
}

int main() {
  const int n = 128;
  float host[n] = {};
  host[n / 2] = 1.0f;
  float* u[3];
  for (float*& buffer : u) {
    cudaMalloc(&buffer, sizeof host);
    cudaMemcpy(buffer, host, sizeof host, cudaMemcpyHostToDevice);
  }
  for (int t = 0; t < 4; ++t) {
    step<<<2, 64>>>(u[0], u[1], u[2], n);
    float* oldest = u[0];
    u[0] = u[1];
    u[1] = u[2];
    u[2] = oldest;
  }
  cudaMemcpy(host, u[1], sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[n / 2]);
  return 0;
}
