// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <fstream>
#include <iostream>
#include <vector>

#include "filters.h"

template <typename T>
__global__ void scale(T* values, int count, T by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= by;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::ifstream file(argv[1]);
  std::vector<float> values;
  for (float value; file >> value;) values.push_back(value);
  const int count = static_cast<int>(values.size());
  float* device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(float));
  cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale<float><<<(count + 31) / 32, 32>>>(device, count, 2.0f);
  smooth(device, count);
  cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::cout << count << " values, the first is " << values.front() << "\n";
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
