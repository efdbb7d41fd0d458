// A whole program: blocks exchange values through a __device__ array within one launch.
// weakspot: program
// expect: race E1 global board @w @r

#include <cstdio>

__device__ int board[64];
__device__ int result[64];

__global__ void post() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  board[i] = i * 5;           // @w
  result[i] = board[63 - i];  // @r
}

int main() {
  int host[64];
  post<<<2, 32>>>();
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(host, result, sizeof host);
  std::printf("%d\n", host[0]);
  return 0;
}
