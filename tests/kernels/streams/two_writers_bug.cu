// A whole program: two streams update the same array, and the host waits only at the end.
// weakspot: program
// expect: race E1 global data @a @b

#include <cstdio>

__global__ void add_one(int* data) {
  data[threadIdx.x] += 1;  // @a
}

__global__ void twice(int* data) {
  data[threadIdx.x] *= 2;  // @b
}

int main() {
  int host[64] = {};
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  add_one<<<1, 64, 0, first>>>(data);
  twice<<<1, 64, 0, second>>>(data);
  cudaDeviceSynchronize();
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(data);
  return 0;
}
