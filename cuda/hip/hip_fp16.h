// SPDX-License-Identifier: MIT
// __half and __half2.
#pragma once

#include <cuda_fp16.h>

typedef unsigned short __hip_half_bits;
