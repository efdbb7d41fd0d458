// SPDX-License-Identifier: MIT
// The functions that clang's HIP mode calls for a launch, which are those of CUDA.
#pragma once

extern "C" unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                   cudaStream_t stream = nullptr);
extern "C" cudaError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                       cudaStream_t stream);

#define __WS_LAUNCH(kernel, grid, block, shared, stream, ...) \
  do {                                                        \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__); \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) __WS_LAUNCH((kernel), __VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
