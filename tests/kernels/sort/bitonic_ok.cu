// A whole program: bitonic sort with a barrier after every exchange.
// weakspot: program
// expect: none

#include <cstdio>

__global__ void bitonic(int* data) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = data[t];
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int other = t ^ stride;
      if (other > t) {
        const bool up = (t & size) == 0;
        const int a = x[t], b = x[other];
        x[t] = up ? min(a, b) : max(a, b);
        x[other] = up ? max(a, b) : min(a, b);
      }
      __syncthreads();
    }
  }
  data[t] = x[t];
}

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = i * 37 % 64;
  }
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  bitonic<<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[63]);
  cudaFree(data);
  return 0;
}
