// A whole program: a generic kernel applies a functor that looks at its own element only.
// weakspot: program
// expect: none

#include <cstdio>

struct Step {
  int offset;
  __device__ int operator()(const int* data, int i) const { return data[i + offset] + 1; }
};

template <class F>
__global__ void apply(int* data, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = f(data, i);
  }
}

int main() {
  const int n = 100;
  int host[n + 1] = {};
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  apply<<<2, 64>>>(data, n, Step{0});
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[n - 1]);
  cudaFree(data);
  return 0;
}
