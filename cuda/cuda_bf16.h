// SPDX-License-Identifier: MIT
// __nv_bfloat16 and __nv_bfloat162: sixteen bits, computed as float and rounded to the nearest.
#pragma once
#include <weakspot/small_floats.h>

#define __CUDA_BF16_H__  // NVIDIA's include guard, which public code asks for
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
