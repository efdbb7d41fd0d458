// The program passes no work: the missing barrier is not reached, and the kernel does not count as exercised.
// weakspot: program
// expect: unexercised @kernel
#include <cuda_runtime.h>
__global__ void swap_halves(float* data, int n) {  // @kernel
  __shared__ float tile[64];
  if (threadIdx.x < n) {
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
  }
}
int main() {
  float* data;
  cudaMalloc(&data, 64 * sizeof(float));
  swap_halves<<<1, 64>>>(data, 0);
  return cudaDeviceSynchronize();
}
