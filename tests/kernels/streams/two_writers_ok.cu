// A whole program: the host waits for the first stream before it launches on the second.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int host[64] = {};
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  add_one<<<1, 64, 0, first>>>(data);
  cudaStreamSynchronize(first);
  twice<<<1, 64, 0, second>>>(data);
  cudaDeviceSynchronize();
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(data);
  return 0;
}
