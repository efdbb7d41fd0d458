// SPDX-License-Identifier: MIT
#pragma once
__device__ int step(int from);
extern __device__ int walked;
