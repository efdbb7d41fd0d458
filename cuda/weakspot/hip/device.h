// SPDX-License-Identifier: MIT
// What HIP programs see before any #include, for clang in its HIP mode without ROCm: included before every file that
// 'weakspot race' compiles as HIP, for the device and for the host. The runtime is that of CUDA under its other names,
// see names.h. What synchronises is written with AMD's builtins, so that the code has AMD's scopes and fences.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) __attribute__((annotate("weakspot.managed")))
#define __launch_bounds__(...) __WS_LAUNCH_BOUNDS(__VA_ARGS__, 1)
#define __WS_LAUNCH_BOUNDS(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#define __HIPCC__ 1
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60200000

// clang's functions for CUDA's device lead to names of libdevice, which the checker has.
#define CUDA_VERSION 12050
#define CUDART_VERSION 12050
#define __CUDA__ 1

#include <__clang_cuda_math_forward_declares.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdlib>

#include "../vector_types.h"
#include "vector_operators.h"
#include "builtin_vars.h"
// Each needs those before it.
// clang-format off
#include <__clang_cuda_libdevice_declares.h>
#include "integers.h"
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// clang-format on
#undef __CUDA__

// The functions of the C library that devices have.
extern "C" {
__device__ int __ws_printf(const char* format, const void* arguments);
__device__ void* malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned int line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

// Arguments as NVIDIA's printf() finds them: numbers widened as for any such function, each aligned to its size.
template <typename T>
__device__ __forceinline__ void __ws_put(char* buffer, unsigned& at, T value) {
  at = (at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
  __builtin_memcpy(buffer + at, &value, sizeof(T));
  at += sizeof(T);
}
template <typename T>
__device__ __forceinline__ void __ws_put_widened(char* buffer, unsigned& at, T value) {
  if constexpr (__is_floating_point(T)) {
    __ws_put(buffer, at, double(value));
  } else if constexpr (__is_enum(T) || (__is_integral(T) && sizeof(T) < sizeof(int))) {
    __ws_put(buffer, at, int(value));
  } else {
    __ws_put(buffer, at, value);
  }
}
template <typename... Arguments>
__device__ __forceinline__ int printf(const char* format, Arguments... arguments) {
  alignas(16) char buffer[16 * sizeof...(Arguments) + 16];
  unsigned at = 0;
  (__ws_put_widened(buffer, at, arguments), ...);
  return __ws_printf(format, buffer);
}
__device__ inline void abort() { __builtin_trap(); }

// clang-format off
#include "../math.h"
#include "fences.h"
#include "waves.h"
#include "atomics.h"
#include "../runtime_api.h"
#include "../runtime_more.h"
#include "../small_floats.h"
#include "launch.h"
// clang-format on
