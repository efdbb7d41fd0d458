// A whole program: two streams work on separate halves of an array at the same time.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

int main() {
  int host[128];
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  fill<<<1, 64, 0, first>>>(data, 1);
  fill<<<1, 64, 0, second>>>(data + 64, 2);
  cudaDeviceSynchronize();
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[127]);
  return 0;
}
