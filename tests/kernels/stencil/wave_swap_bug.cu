// A whole program: the buffers of a wave equation are swapped wrongly, so from the second step on a launch
// reads the array that it writes.
// weakspot: program
// expect: race E1 global next @a @a

#include <cstdio>

__global__ void step(const float* before, const float* now, float* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    next[i] = 2.0f * now[i] - before[i] + 0.25f * (now[i - 1] - 2.0f * now[i] + now[i + 1]);  // @a
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
    u[2] = u[1];
    (void)oldest;
  }
  cudaMemcpy(host, u[1], sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[n / 2]);
  return 0;
}
