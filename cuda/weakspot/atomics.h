// SPDX-License-Identifier: MIT
// Atomic functions. All go through __ws_atomic.
#pragma once

#include "atomic_call.h"

#define __WS_ATOMIC_IN(name, type, op, scope)                                                     \
  __device__ __forceinline__ type name(type* p, type v) {                                         \
    return __ws_value<type>(                                                                      \
        __ws_atomic(p, op, sizeof(type), __ws_hook::scope, __ws_hook::kRelaxedOrder, __ws_bits(v), 0)); \
  }
#define __WS_ATOMIC(name, type, op)                    \
  __WS_ATOMIC_IN(name, type, op, kDeviceScope)         \
  __WS_ATOMIC_IN(name##_block, type, op, kBlockScope)  \
  __WS_ATOMIC_IN(name##_system, type, op, kSystemScope)
#define __WS_ATOMIC_INTS(name, signed_op, unsigned_op) \
  __WS_ATOMIC(name, int, signed_op)                    \
  __WS_ATOMIC(name, unsigned int, unsigned_op)         \
  __WS_ATOMIC(name, long long, signed_op)              \
  __WS_ATOMIC(name, unsigned long long, unsigned_op)   \
  __WS_ATOMIC(name, long, signed_op)                   \
  __WS_ATOMIC(name, unsigned long, unsigned_op)
__WS_ATOMIC_INTS(atomicAdd, __ws_hook::kAdd, __ws_hook::kAdd)
__WS_ATOMIC_INTS(atomicSub, __ws_hook::kSub, __ws_hook::kSub)
__WS_ATOMIC_INTS(atomicExch, __ws_hook::kExchange, __ws_hook::kExchange)
__WS_ATOMIC_INTS(atomicMin, __ws_hook::kMinSigned, __ws_hook::kMinUnsigned)
__WS_ATOMIC_INTS(atomicMax, __ws_hook::kMaxSigned, __ws_hook::kMaxUnsigned)
__WS_ATOMIC_INTS(atomicAnd, __ws_hook::kAnd, __ws_hook::kAnd)
__WS_ATOMIC_INTS(atomicOr, __ws_hook::kOr, __ws_hook::kOr)
__WS_ATOMIC_INTS(atomicXor, __ws_hook::kXor, __ws_hook::kXor)
__WS_ATOMIC(atomicAdd, float, __ws_hook::kAddFloat)
__WS_ATOMIC(atomicAdd, double, __ws_hook::kAddDouble)
__WS_ATOMIC(atomicExch, float, __ws_hook::kExchange)
__WS_ATOMIC(atomicInc, unsigned int, __ws_hook::kIncrement)
__WS_ATOMIC(atomicDec, unsigned int, __ws_hook::kDecrement)
#undef __WS_ATOMIC
#undef __WS_ATOMIC_IN
#undef __WS_ATOMIC_INTS

#define __WS_CAS_IN(name, type, scope)                                                                       \
  __device__ __forceinline__ type name(type* p, type c, type v) {                                            \
    return __ws_value<type>(__ws_atomic(p, __ws_hook::kCompareExchange, sizeof(type), __ws_hook::scope,      \
                                        __ws_hook::kRelaxedOrder, __ws_bits(v), __ws_bits(c)));              \
  }
#define __WS_CAS(type)                             \
  __WS_CAS_IN(atomicCAS, type, kDeviceScope)       \
  __WS_CAS_IN(atomicCAS_block, type, kBlockScope)  \
  __WS_CAS_IN(atomicCAS_system, type, kSystemScope)
__WS_CAS(unsigned short)
__WS_CAS(int)
__WS_CAS(unsigned int)
__WS_CAS(long long)
__WS_CAS(unsigned long long)
__WS_CAS(long)
__WS_CAS(unsigned long)
#undef __WS_CAS
#undef __WS_CAS_IN
