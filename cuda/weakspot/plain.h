// SPDX-License-Identifier: MIT
// The CUDA runtime for C++ that is not CUDA: files of a program that weakspot-nvcc builds which only call it.
#pragma once
#pragma GCC system_header
#if !defined(__CUDA__) && !defined(__HIP__)  // there a device.h, which is included first, has everything

#define __host__
#define __device__
#define __global__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define CUDA_VERSION 12050
#define CUDART_VERSION 12050

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#include "vector_types.h"
#include "runtime_api.h"
#include "runtime_more.h"
#include "texture_types.h"
#include "texture_api.h"
// clang-format on

#endif
