// SPDX-License-Identifier: MIT
// What CUDA C++ declares without any #include, for clang without a CUDA toolkit: included before every file that
// 'weakspot race' compiles, for the device and for the host. Operations that synchronise call functions named __ws_*,
// to which the instrumentation adds the place in the source.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Made equal on both sides before and after every launch.
#define __managed__ __attribute__((device)) __attribute__((annotate("weakspot.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
// As an attribute it may stand anywhere in a declaration: clang takes 'alignas' only at its beginning, and not after
// __shared__. It takes types and numbers.
template <typename T>
constexpr unsigned long __ws_alignment() {
  return alignof(T);
}
template <unsigned long N>
constexpr unsigned long __ws_alignment() {
  return N == 0 ? 1 : N;
}
#define alignas(...) __attribute__((aligned(__ws_alignment<__VA_ARGS__>())))
#define __grid_constant__
#define __cluster_dims__(...) __attribute__((annotate("weakspot.cluster", __VA_ARGS__)))
#define __maxnreg__(...)
#define __cdecl
#define CUDA_VERSION 12050
#define CUDART_VERSION 12050
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5

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

#include "vector_types.h"

#include <__clang_cuda_builtin_vars.h>

// clang's device functions are for the device only and need an architecture; the host compiles only the names of
// kernels.
#if !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ 9999
#define __WS_HOST 1
#endif
// Each needs those before it.
// clang-format off
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// clang-format on
#if defined(__WS_HOST)
#undef __CUDA_ARCH__
#endif

#define __WS_CONVERSIONS(name)                                                             \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return {x, y, z}; } \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
__WS_CONVERSIONS(threadIdx)
__WS_CONVERSIONS(blockIdx)
__WS_CONVERSIONS(blockDim)
__WS_CONVERSIONS(gridDim)
#undef __WS_CONVERSIONS

// The functions of the C library that devices have; clang turns printf into vprintf.
extern "C" {
__device__ int printf(const char*, ...);
__device__ void* malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned int line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

// clang-format off
#include "math.h"
#include "atomics.h"
#include "nv_atomics.h"
#include "warp.h"
#include "runtime_api.h"
#include "runtime_more.h"
#include "children.h"
#include "texture_types.h"
#include "texture_functions.h"
#include "texture_api.h"
// What files include by other names is read here as well, before they can define macros: small_floats.h has no names of
// the user's until cuda_fp16.h gives them.
#if !defined(__WS_OTHER_CCCL)
#include "atomic_types.h"
#include "gate.h"
#include "pipeline.h"
#include "groups.h"
#include "ptx.h"
#endif
#include "small_floats.h"
#include "tiny_floats.h"
#include "complex.h"
#include "random.h"
#include "random_host.h"
#include "mma.h"
// Not where a file brings libcu++, cub and thrust of its own.
#if !defined(__WS_OTHER_CCCL)
#include "cub/device.h"
#include "complex_numbers.h"
#include "thrust/random.h"
#endif
#include "blas_mixed.h"
#include "sparse.h"
#include "fft.h"
// clang-format on
