// SPDX-License-Identifier: MIT
// __nv_fp8_e4m3 and __nv_fp8_e5m2: eight bits, computed as float.
#pragma once
#include <cuda_fp16.h>
#include <weakspot/tiny_floats.h>
