// A whole program: a dot product with a barrier before thread 0 adds up the products of its block.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void dot(const float* a, const float* b, int n, float* result) {
  __shared__ float products[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  products[threadIdx.x] = i < n ? a[i] * b[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) {
      sum += products[k];
    }
    atomicAdd(result, sum);
  }
}

int main() {
  const int n = 150;
  float host[n];
  for (float& value : host) {
    value = 2.0f;
  }
  float *a, *b, *result;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&result, sizeof(float));
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(result, 0, sizeof(float));
  dot<<<3, 64>>>(a, b, n, result);
  cudaMemcpy(host, result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[0]);
  return 0;
}
