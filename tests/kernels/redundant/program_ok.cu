// A whole program: a loop over tiles in which each thread reads back only what it wrote itself.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void scale(const float* in, float* out, int n) {
  __shared__ float tile[64];
  for (int i = threadIdx.x; i < n; i += 64) {
    tile[threadIdx.x] = in[i] * 3.0f;
    out[i] = tile[threadIdx.x];
  }
}

int main() {
  const int n = 256;
  float host[n];
  for (int i = 0; i < n; ++i) {
    host[i] = i;
  }
  float *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[n - 1]);
  return 0;
}
