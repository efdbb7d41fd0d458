// A whole program: the second launch adds up the partial sums that the first has written; launches of one
// stream are ordered.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void partial_sums(const int* in, int* partial, int* total) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
  }
}

__global__ void add_up(const int* partial, int count, int* total) {
  int all = 0;
  for (int i = 0; i < count; ++i) {
    all += partial[i];
  }
  *total = all;
}

int main() {
  const int blocks = 4, threads = 64;
  int host[blocks * threads];
  for (int i = 0; i < blocks * threads; ++i) {
    host[i] = i;
  }
  int *in, *partial, *total;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  partial_sums<<<blocks, threads>>>(in, partial, total);
  add_up<<<1, 1>>>(partial, blocks, total);
  int result = 0;
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(total);
  return 0;
}
