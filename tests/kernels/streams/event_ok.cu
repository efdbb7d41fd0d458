// A whole program: the second stream waits for an event that the first records after its kernel.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void produce(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 7; }

__global__ void consume(const int* data, int* sum) { atomicAdd(sum, data[blockIdx.x * blockDim.x + threadIdx.x]); }

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
  cudaEvent_t written;
  cudaEventCreate(&written);
  cudaEventRecord(written, first);
  cudaStreamWaitEvent(second, written, 0);
  consume<<<2, 32, 0, second>>>(data, sum);
  cudaDeviceSynchronize();
  int result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  return 0;
}
