// SPDX-License-Identifier: MIT
// The functions behind all atomics and fences; see hook_numbers.h for their numbers.
#pragma once

#include "hook_numbers.h"

extern "C" __device__ unsigned long long __ws_atomic(void* address, int operation, int size, int scope, int order,
                                                     unsigned long long operand, unsigned long long compare);
extern "C" __device__ void __ws_fence(int scope, int order);

template <typename T>
__device__ __forceinline__ unsigned long long __ws_bits(T value) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
__device__ __forceinline__ T __ws_value(unsigned long long bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
