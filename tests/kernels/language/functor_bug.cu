// A whole program: a generic kernel applies a functor in place, and the functor looks at a neighbour.
// weakspot: program
// expect: race E1 global data @read @write

#include <cstdio>

struct Step {
  int offset;
  __device__ int operator()(const int* data, int i) const {
    return data[i + offset] + 1;  // @read
  }
};

template <class F>
__global__ void apply(int* data, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = f(data, i);  // @write
  }
}

int main() {
  const int n = 100;
  int host[n + 1] = {};
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  apply<<<2, 64>>>(data, n, Step{1});
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[n - 1]);
  cudaFree(data);
  return 0;
}
