// nvcc only warns of the narrowing and of 'register' in host code; clang would refuse both, and the instance of the
// kernel would be lost.
// weakspot: program
// expect: none
#include <cuda_runtime.h>
template <typename T>
__global__ void swap_halves(T* data) {
  __shared__ T tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
}
int main(int argc, char**) {
  register int threads = 64 * argc;
  unsigned block[1] = {threads};
  float* data;
  cudaMalloc(&data, 64 * sizeof(float));
  swap_halves<<<1, block[0]>>>(data);
  return cudaDeviceSynchronize();
}
