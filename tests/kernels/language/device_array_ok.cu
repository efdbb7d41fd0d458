// A whole program: values in a __device__ array are written by one launch and read by the next.
// weakspot: program
// expect: none

#include <cstdio>

__device__ int board[64];
__device__ int result[64];

__global__ void post() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  board[i] = i * 5;
}

__global__ void collect() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = board[63 - i];
}

int main() {
  int host[64];
  post<<<2, 32>>>();
  collect<<<2, 32>>>();
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(host, result, sizeof host);
  std::printf("%d\n", host[0]);
  return 0;
}
