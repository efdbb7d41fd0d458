// A whole program: blocks exchange results through global memory within one launch.
// weakspot: program
// expect: race E1 global mid @a @b

#include <cstdio>

__global__ void first(const int* in, int* mid, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mid[i] = in[i] + 1;                            // @a
  out[i] = mid[gridDim.x * blockDim.x - 1 - i];  // @b
}

int main() {
  const int n = 128;
  int host[n];
  for (int i = 0; i < n; ++i) {
    host[i] = i;
  }
  int *in, *mid, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&mid, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  first<<<4, 32>>>(in, mid, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(mid);
  cudaFree(out);
  return 0;
}
