// SPDX-License-Identifier: MIT
// __half and __half2: sixteen bits, computed as float and rounded to the nearest.
#pragma once
#include <weakspot/small_floats.h>

#define __CUDA_FP16_H__  // NVIDIA's include guard, which public code asks for
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
