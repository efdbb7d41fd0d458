// SPDX-License-Identifier: MIT
// Read before every file that is compiled with the headers of a CUDA toolkit: clang's own prefix, and declarations that
// neither clang nor the toolkit has.
#pragma once
#define __WS_TOOLKIT 1
#include <__clang_cuda_runtime_wrapper.h>

// Loads and stores with cache hints; the hints mean nothing here.
#define __WS_LOAD(name) \
  template <typename T> __device__ __forceinline__ T name(const T* p) { return *p; }
#define __WS_STORE(name) \
  template <typename T> __device__ __forceinline__ void name(T* p, T v) { *p = v; }
__WS_LOAD(__ldca)
__WS_LOAD(__ldcg)
__WS_LOAD(__ldcs)
__WS_LOAD(__ldlu)
__WS_STORE(__stwb)
__WS_STORE(__stcg)
__WS_STORE(__stcs)
__WS_STORE(__stwt)
template <typename T> __device__ __forceinline__ T __ldcv(const T* p) { return *(const volatile T*)p; }
#undef __WS_LOAD
#undef __WS_STORE

// Declared by clang, and defined by nobody.
static __device__ __forceinline__ double nan(const char*) { return __builtin_nan(""); }
static __device__ __forceinline__ float nanf(const char*) { return __builtin_nanf(""); }

// A builtin of the toolkit's own compiler.
extern "C" __device__ inline unsigned short __usAtomicCAS(unsigned short* p, unsigned short compare, unsigned short value) {
  __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}

// Replaces the toolkit's own; see the four headers beside this one.
#include "../weakspot/texture_functions.h"
