// SPDX-License-Identifier: MIT
// Atomic functions: relaxed, of the device's scope or, by their names, of the block's or the system's.
#pragma once

#define __WS_ATOMIC(name, type, call)                                                                \
  __device__ __forceinline__ type name(type* p, type v) {                                            \
    return call(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                   \
  }                                                                                                  \
  __device__ __forceinline__ type name##_block(type* p, type v) {                                    \
    return call(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);                               \
  }                                                                                                  \
  __device__ __forceinline__ type name##_system(type* p, type v) {                                   \
    return call(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);                                  \
  }
#define __WS_ATOMIC_INTS(name, call)          \
  __WS_ATOMIC(name, int, call)                \
  __WS_ATOMIC(name, unsigned int, call)       \
  __WS_ATOMIC(name, long, call)               \
  __WS_ATOMIC(name, unsigned long, call)      \
  __WS_ATOMIC(name, long long, call)          \
  __WS_ATOMIC(name, unsigned long long, call)
#define __WS_SUBTRACT(p, v, order, scope) __hip_atomic_fetch_add(p, -(v), order, scope)
__WS_ATOMIC_INTS(atomicAdd, __hip_atomic_fetch_add)
__WS_ATOMIC_INTS(atomicSub, __WS_SUBTRACT)
__WS_ATOMIC_INTS(atomicExch, __hip_atomic_exchange)
__WS_ATOMIC_INTS(atomicMin, __hip_atomic_fetch_min)
__WS_ATOMIC_INTS(atomicMax, __hip_atomic_fetch_max)
__WS_ATOMIC_INTS(atomicAnd, __hip_atomic_fetch_and)
__WS_ATOMIC_INTS(atomicOr, __hip_atomic_fetch_or)
__WS_ATOMIC_INTS(atomicXor, __hip_atomic_fetch_xor)
__WS_ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
__WS_ATOMIC(atomicAdd, double, __hip_atomic_fetch_add)
__WS_ATOMIC(atomicSub, float, __WS_SUBTRACT)
__WS_ATOMIC(atomicSub, double, __WS_SUBTRACT)
__WS_ATOMIC(atomicMin, float, __hip_atomic_fetch_min)
__WS_ATOMIC(atomicMin, double, __hip_atomic_fetch_min)
__WS_ATOMIC(atomicMax, float, __hip_atomic_fetch_max)
__WS_ATOMIC(atomicMax, double, __hip_atomic_fetch_max)
#undef __WS_SUBTRACT
#undef __WS_ATOMIC_INTS
#undef __WS_ATOMIC

#define __WS_SWAP_IN(name, type, bits, scope)                                                        \
  __device__ __forceinline__ type name(type* p, type v) {                                            \
    return __ws_value<type>(__hip_atomic_exchange((bits*)p, (bits)__ws_bits(v), __ATOMIC_RELAXED, scope)); \
  }
#define __WS_SWAP(type, bits)                                               \
  __WS_SWAP_IN(atomicExch, type, bits, __HIP_MEMORY_SCOPE_AGENT)            \
  __WS_SWAP_IN(atomicExch_block, type, bits, __HIP_MEMORY_SCOPE_WORKGROUP)  \
  __WS_SWAP_IN(atomicExch_system, type, bits, __HIP_MEMORY_SCOPE_SYSTEM)
__WS_SWAP(float, unsigned int)
__WS_SWAP(double, unsigned long long)
#undef __WS_SWAP
#undef __WS_SWAP_IN

#define __WS_CAS_IN(name, type, scope)                                                                          \
  __device__ __forceinline__ type name(type* p, type c, type v) {                                               \
    __hip_atomic_compare_exchange_strong(p, &c, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);                  \
    return c;                                                                                                   \
  }
#define __WS_CAS(type)                                              \
  __WS_CAS_IN(atomicCAS, type, __HIP_MEMORY_SCOPE_AGENT)            \
  __WS_CAS_IN(atomicCAS_block, type, __HIP_MEMORY_SCOPE_WORKGROUP)  \
  __WS_CAS_IN(atomicCAS_system, type, __HIP_MEMORY_SCOPE_SYSTEM)
__WS_CAS(unsigned short)
__WS_CAS(int)
__WS_CAS(unsigned int)
__WS_CAS(long)
__WS_CAS(unsigned long)
__WS_CAS(long long)
__WS_CAS(unsigned long long)
#undef __WS_CAS
#undef __WS_CAS_IN

#if defined(__HIP_DEVICE_COMPILE__)
__device__ __forceinline__ unsigned int atomicInc(unsigned int* p, unsigned int v) {
  return __builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, "agent");
}
__device__ __forceinline__ unsigned int atomicDec(unsigned int* p, unsigned int v) {
  return __builtin_amdgcn_atomic_dec32(p, v, __ATOMIC_RELAXED, "agent");
}
#else
__device__ unsigned int atomicInc(unsigned int* p, unsigned int v);
__device__ unsigned int atomicDec(unsigned int* p, unsigned int v);
#endif

template <typename T> __device__ __forceinline__ void atomicAddNoRet(T* p, T v) { (void)atomicAdd(p, v); }
template <typename T> __device__ __forceinline__ T unsafeAtomicAdd(T* p, T v) { return atomicAdd(p, v); }
template <typename T> __device__ __forceinline__ T safeAtomicAdd(T* p, T v) { return atomicAdd(p, v); }
template <typename T> __device__ __forceinline__ T unsafeAtomicMin(T* p, T v) { return atomicMin(p, v); }
template <typename T> __device__ __forceinline__ T unsafeAtomicMax(T* p, T v) { return atomicMax(p, v); }
