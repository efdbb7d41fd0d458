// A whole program: the kernel is right for separate arrays, but the host passes overlapping parts of one.
// weakspot: program
// expect: race E1 global y @a @a

#include <cstdio>

__global__ void add_to(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = y[i] + x[i];  // @a
  }
}

int main() {
  const int n = 128;
  float host[2 * n];
  for (int i = 0; i < 2 * n; ++i) {
    host[i] = i;
  }
  float* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  add_to<<<2, 64>>>(data, data + 1, n);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[n]);
  cudaFree(data);
  return 0;
}
