// A whole program: y = a x + y, one element per thread, with a guard for the end.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

int main() {
  const int n = 200;
  float x[n], y[n];
  for (int i = 0; i < n; ++i) {
    x[i] = i;
    y[i] = 1.0f;
  }
  float *dx, *dy;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  saxpy<<<(n + 63) / 64, 64>>>(n, 2.0f, dx, dy);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  std::printf("%f\n", y[n - 1]);
  cudaFree(dx);
  cudaFree(dy);
  return 0;
}
