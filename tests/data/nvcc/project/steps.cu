// SPDX-License-Identifier: MIT
#include "steps.h"

__device__ int step(int from) { return from + 2; }
