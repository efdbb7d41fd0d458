// SPDX-License-Identifier: MIT
// bfloat16, under HIP's names.
#pragma once

#include <cuda_bf16.h>

typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
