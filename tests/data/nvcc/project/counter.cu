// SPDX-License-Identifier: MIT
#include "steps.h"

__device__ int walked = 0;

static __global__ void start(int to) { walked = to; }

void clear_counter() { start<<<1, 1>>>(0); }
