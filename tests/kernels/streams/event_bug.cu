// A whole program: one stream writes an array and another reads it, with nothing between them.
// weakspot: program
// expect: race E1 global data @w @r

#include <cstdio>

__global__ void produce(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 7;  // @w
}

__global__ void consume(const int* data, int* sum) {
  atomicAdd(sum, data[blockIdx.x * blockDim.x + threadIdx.x]);  // @r
}

int main() {
  int *data, *sum;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  produce<<<2, 32, 0, first>>>(data);
  consume<<<2, 32, 0, second>>>(data, sum);
  cudaDeviceSynchronize();
  int result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  return 0;
}
