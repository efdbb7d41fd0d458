// The one function behind all atomics; what it does is told by numbers, see AtomicOp in the tool.
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
