// SPDX-License-Identifier: MIT
#pragma once

#include <c10/cuda/CUDAMacros.h>
#include <c10/util/Exception.h>
#include <cuda.h>
#include <cuda_runtime_api.h>

#define C10_CUDA_CHECK(EXPR)                                                      \
  do {                                                                            \
    const cudaError_t __err = EXPR;                                               \
    TORCH_CHECK(__err == cudaSuccess, "CUDA error: ", cudaGetErrorString(__err)); \
  } while (0)

#define C10_CUDA_CHECK_WARN(EXPR)                                                      \
  do {                                                                                 \
    const cudaError_t __err = EXPR;                                                    \
    if (__err != cudaSuccess) TORCH_WARN("CUDA warning: ", cudaGetErrorString(__err)); \
  } while (0)

#define C10_CUDA_ERROR_HANDLED(EXPR) EXPR
#define C10_CUDA_IGNORE_ERROR(EXPR) \
  do {                              \
    (void)(EXPR);                   \
    (void)cudaGetLastError();       \
  } while (0)
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
