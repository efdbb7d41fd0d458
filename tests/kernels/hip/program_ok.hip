// A whole program in which each thread writes its own element.
// weakspot: program
// expect: none
#include <hip/hip_runtime.h>
#include <cstdio>

struct Shape {
  int count;
  float scale;
  float bias[8];
};

__global__ void scale(const float* x, float* y, Shape shape) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < shape.count) y[i] = shape.scale * x[i] + shape.bias[i % 8];
}

int main() {
  const int n = 1000;
  float *x, *y;
  if (hipMalloc(&x, n * sizeof(float)) != hipSuccess || hipMalloc(&y, n * sizeof(float)) != hipSuccess) return 1;
  hipMemset(x, 0, n * sizeof(float));
  Shape shape = {n, 2.0f, {1, 2, 3, 4, 5, 6, 7, 8}};
  scale<<<dim3((n + 255) / 256), dim3(256), 0, 0>>>(x, y, shape);
  hipLaunchKernelGGL(scale, dim3(1), dim3(256), 0, 0, x, y, shape);
  float first = 0;
  hipMemcpy(&first, y, sizeof first, hipMemcpyDeviceToHost);
  hipDeviceSynchronize();
  std::printf("%s\n", hipGetErrorString(hipGetLastError()));
  hipFree(x);
  hipFree(y);
}
