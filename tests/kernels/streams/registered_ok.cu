// A whole program: memory of the host is registered, and kernels use it by either address.
// weakspot: program
// expect: none
#include <cassert>
#include <vector>

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  std::vector<int> values(100, 3);
  assert(cudaHostRegister(values.data(), 400, cudaHostRegisterMapped) == cudaSuccess);
  int* device;
  assert(cudaHostGetDevicePointer(&device, values.data(), 0) == cudaSuccess);
  twice<<<2, 64>>>(device, 100);
  twice<<<2, 64>>>(values.data(), 100);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  assert(values[0] == 12 && values[99] == 12);
  assert(cudaHostUnregister(values.data()) == cudaSuccess);
  assert(cudaHostUnregister(values.data()) == cudaErrorHostMemoryNotRegistered);
  return 0;
}
