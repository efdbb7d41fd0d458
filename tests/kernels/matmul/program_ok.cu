// A whole program: a tiled product with both barriers, launched by a host program.
// weakspot: program
// expect: none

#include <cstdio>
#include <vector>

constexpr int kTile = 8;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kTile) {
    left[y][x] = a[row * n + k + x];
    right[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum += left[y][i] * right[i][x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}

int main() {
  const int n = 16;
  const size_t bytes = n * n * sizeof(float);
  std::vector<float> host(n * n, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(n / kTile, n / kTile), block(kTile, kTile);
  multiply<<<grid, block>>>(a, b, c, n);
  cudaMemcpy(host.data(), c, bytes, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
