// The kernel asserts that there is one block.
// weakspot: search
// expect: none
#include <cassert>

__global__ void reverse(int* data) {
  __shared__ int line[256];
  assert(gridDim.x == 1);
  line[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
