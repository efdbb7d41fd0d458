// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>

namespace at {
namespace cuda {

inline int64_t getNumGPUs() { return 1; }
inline bool is_available() { return true; }
inline cudaDeviceProp* getDeviceProperties(int64_t = 0) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp made{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&made, 0));
    return made;
  }();
  return &properties;
}
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(); }
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }

}  // namespace cuda
}  // namespace at
