// Copies and fills of no bytes succeed, also at the end of an allocation and behind it.
// weakspot: program
// expect: none
#include <cassert>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }
__device__ int table[4];

int main() {
  int *a, *b, host[1] = {};
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  fill<<<1, 64>>>(a);
  int *a_end = a + 64, *b_end = b + 64;
  assert(cudaMemcpy(b_end, a_end, 0, cudaMemcpyDeviceToDevice) == cudaSuccess);
  assert(cudaMemcpy(b_end, host, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  assert(cudaMemcpy(host, a_end, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  assert(cudaMemcpy(b_end + 1, a_end + 1, 0, cudaMemcpyDefault) == cudaSuccess);
  assert(cudaMemcpyAsync(b_end, a_end, 0, cudaMemcpyDeviceToDevice) == cudaSuccess);
  assert(cudaMemcpyPeer(b_end, 0, a_end, 0, 0) == cudaSuccess);
  assert(cudaMemcpy2D(b_end, 4, a_end, 4, 0, 3, cudaMemcpyDeviceToDevice) == cudaSuccess);
  assert(cudaMemcpy2D(b_end, 4, a_end, 4, 4, 0, cudaMemcpyDeviceToDevice) == cudaSuccess);
  assert(cudaMemcpy2DAsync(b_end, 4, a_end, 4, 0, 3, cudaMemcpyDeviceToDevice, 0) == cudaSuccess);
  assert(cudaMemcpyToSymbol(table, host, 0, sizeof table) == cudaSuccess);
  assert(cudaMemset(a_end, 0, 0) == cudaSuccess);
  assert(cudaMemsetAsync(a_end, 0, 0) == cudaSuccess);
  assert(cudaMemset2D(a_end, 4, 0, 0, 3) == cudaSuccess);
  assert(cudaMemset2D(a_end, 4, 0, 4, 0) == cudaSuccess);
  // One byte more is an error.
  assert(cudaMemcpy(b_end, a, 1, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  assert(cudaMemset(a_end, 0, 1) == cudaErrorInvalidValue);
  assert(cudaGetLastError() == cudaErrorInvalidValue);
  return cudaDeviceSynchronize();
}
