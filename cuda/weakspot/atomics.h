// Atomic functions. All go through __ws_atomic with what they do as numbers; see AtomicOp in the tool.
#pragma once

extern "C" __device__ unsigned long long __ws_atomic(void* address, int operation, int size, int scope, int order,
                                                     unsigned long long operand, unsigned long long compare);
extern "C" __device__ void __ws_fence(int scope);

enum { __ws_op_load, __ws_op_store, __ws_op_add, __ws_op_sub, __ws_op_exchange, __ws_op_min_signed, __ws_op_max_signed,
       __ws_op_min_unsigned, __ws_op_max_unsigned, __ws_op_and, __ws_op_or, __ws_op_xor, __ws_op_compare_exchange,
       __ws_op_increment, __ws_op_decrement, __ws_op_add_float, __ws_op_add_double, __ws_op_add_half,
       __ws_op_add_half2, __ws_op_add_bfloat, __ws_op_add_bfloat2 };
enum { __ws_block, __ws_device, __ws_system };
enum { __ws_relaxed, __ws_acquire, __ws_release, __ws_acq_rel };

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
