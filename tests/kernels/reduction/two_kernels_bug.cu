// A whole program: the blocks write partial sums and block 0 adds them up in the same launch, without
// waiting for the others.
// weakspot: program
// expect: race E1 global partial @a @b

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
    partial[blockIdx.x] = sum;  // @a
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x; ++i) {
      all += partial[i];  // @b
    }
    *total = all;
  }
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
  int result = 0;
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(total);
  return 0;
}
