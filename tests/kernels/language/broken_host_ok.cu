// The tile is read behind a barrier.
// weakspot: program
// expect: none
#include <cuda_runtime.h>
template <typename T>
__global__ void turn(T* data) {
  __shared__ T tile[64];
  const int t = threadIdx.x % 64;
  tile[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  data[blockIdx.x * 64 + t] = tile[63 - t];
}
int main() {
  float* data;
  cudaMalloc(&data, 64 * sizeof(float));
  turn<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
