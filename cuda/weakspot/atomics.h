// Atomic functions. All go through __ws_atomic.
#pragma once

#include "atomic_call.h"

#define __WS_ATOMIC(name, type, op)                                                                              \
  __device__ __forceinline__ type name(type* p, type v) {                                                        \
    return __ws_value<type>(__ws_atomic(p, op, sizeof(type), __ws_device, __ws_relaxed, __ws_bits(v), 0));       \
  }                                                                                                              \
  __device__ __forceinline__ type name##_block(type* p, type v) {                                                \
    return __ws_value<type>(__ws_atomic(p, op, sizeof(type), __ws_block, __ws_relaxed, __ws_bits(v), 0));        \
  }                                                                                                              \
  __device__ __forceinline__ type name##_system(type* p, type v) {                                               \
    return __ws_value<type>(__ws_atomic(p, op, sizeof(type), __ws_system, __ws_relaxed, __ws_bits(v), 0));       \
  }
#define __WS_ATOMIC_INTS(name, signed_op, unsigned_op) \
  __WS_ATOMIC(name, int, signed_op)                    \
  __WS_ATOMIC(name, unsigned int, unsigned_op)         \
  __WS_ATOMIC(name, long long, signed_op)              \
  __WS_ATOMIC(name, unsigned long long, unsigned_op)   \
  __WS_ATOMIC(name, long, signed_op)                   \
  __WS_ATOMIC(name, unsigned long, unsigned_op)
__WS_ATOMIC_INTS(atomicAdd, __ws_op_add, __ws_op_add)
__WS_ATOMIC_INTS(atomicSub, __ws_op_sub, __ws_op_sub)
__WS_ATOMIC_INTS(atomicExch, __ws_op_exchange, __ws_op_exchange)
__WS_ATOMIC_INTS(atomicMin, __ws_op_min_signed, __ws_op_min_unsigned)
__WS_ATOMIC_INTS(atomicMax, __ws_op_max_signed, __ws_op_max_unsigned)
__WS_ATOMIC_INTS(atomicAnd, __ws_op_and, __ws_op_and)
__WS_ATOMIC_INTS(atomicOr, __ws_op_or, __ws_op_or)
__WS_ATOMIC_INTS(atomicXor, __ws_op_xor, __ws_op_xor)
__WS_ATOMIC(atomicAdd, float, __ws_op_add_float)
__WS_ATOMIC(atomicAdd, double, __ws_op_add_double)
__WS_ATOMIC(atomicExch, float, __ws_op_exchange)
__WS_ATOMIC(atomicInc, unsigned int, __ws_op_increment)
__WS_ATOMIC(atomicDec, unsigned int, __ws_op_decrement)
#undef __WS_ATOMIC
#undef __WS_ATOMIC_INTS

#define __WS_CAS(type)                                                                                          \
  __device__ __forceinline__ type atomicCAS(type* p, type c, type v) {                                          \
    return __ws_value<type>(__ws_atomic(p, __ws_op_compare_exchange, sizeof(type), __ws_device, __ws_relaxed,   \
                                        __ws_bits(v), __ws_bits(c)));                                           \
  }                                                                                                             \
  __device__ __forceinline__ type atomicCAS_block(type* p, type c, type v) {                                    \
    return __ws_value<type>(__ws_atomic(p, __ws_op_compare_exchange, sizeof(type), __ws_block, __ws_relaxed,    \
                                        __ws_bits(v), __ws_bits(c)));                                           \
  }                                                                                                             \
  __device__ __forceinline__ type atomicCAS_system(type* p, type c, type v) {                                   \
    return __ws_value<type>(__ws_atomic(p, __ws_op_compare_exchange, sizeof(type), __ws_system, __ws_relaxed,   \
                                        __ws_bits(v), __ws_bits(c)));                                           \
  }
__WS_CAS(unsigned short)
__WS_CAS(int)
__WS_CAS(unsigned int)
__WS_CAS(long long)
__WS_CAS(unsigned long long)
__WS_CAS(long)
__WS_CAS(unsigned long)
#undef __WS_CAS
