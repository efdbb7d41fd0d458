// The program launches one of its three kernels; the launch of another fails.
// weakspot: program
// expect: unexercised @never
// expect: unexercised @large
#include <cuda_runtime.h>
__global__ void fill(int* data) { data[threadIdx.x] = 1; }
__global__ void never(int* data) { data[0] = threadIdx.x; }  // @never
__global__ void large(int* data) { data[0] = threadIdx.x; }  // @large
int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  fill<<<1, 64>>>(data);
  large<<<1, 2048>>>(data);
  return 0;
}
