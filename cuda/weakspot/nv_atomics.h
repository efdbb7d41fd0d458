// SPDX-License-Identifier: MIT
// The atomic functions that compilers since CUDA 12.8 have built in, __nv_atomic_*: each states its order and scope.
#pragma once

#include "atomic_call.h"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace __ws_nv {

__device__ __forceinline__ constexpr int scope_number(int scope) {
  return scope == __NV_THREAD_SCOPE_SYSTEM    ? __ws_hook::kSystemScope
         : scope == __NV_THREAD_SCOPE_DEVICE  ? __ws_hook::kDeviceScope
         : scope == __NV_THREAD_SCOPE_CLUSTER ? __ws_hook::kClusterScope
                                              : __ws_hook::kBlockScope;
}
__device__ __forceinline__ constexpr int order_number(int order) {
  return order == __NV_ATOMIC_RELAXED   ? __ws_hook::kRelaxedOrder
         : order <= __NV_ATOMIC_ACQUIRE ? __ws_hook::kAcquireOrder
         : order == __NV_ATOMIC_RELEASE ? __ws_hook::kReleaseOrder
                                        : __ws_hook::kAcqRelOrder;
}
template <typename T>
__device__ __forceinline__ T apply(T* p, int operation, int order, int scope, T operand, T compare = T()) {
  if (order == __NV_ATOMIC_SEQ_CST) __ws_fence(scope_number(scope), __ws_hook::kScFence);
  return __ws_value<T>(__ws_atomic((void*)p, operation, sizeof(T), scope_number(scope), order_number(order),
                                   __ws_bits(operand), __ws_bits(compare)));
}
// The type without const and volatile, and one that is not deduced.
template <typename T> struct plain { using type = T; };
template <typename T> struct plain<const T> : plain<T> {};
template <typename T> struct plain<volatile T> : plain<T> {};
template <typename T> struct plain<const volatile T> : plain<T> {};
template <typename T> using value = typename plain<T>::type;
template <typename T> struct kind {
  static constexpr bool floating = __is_floating_point(T), is_signed = T(-1) < T(0);
};

}  // namespace __ws_nv

template <typename T>
__device__ __forceinline__ __ws_nv::value<T> __nv_atomic_load_n(T* p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __ws_nv::apply((__ws_nv::value<T>*)p, __ws_hook::kLoad, order, scope, __ws_nv::value<T>());
}
template <typename T, typename R>
__device__ __forceinline__ void __nv_atomic_load(T* p, R* result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(p, order, scope);
}
template <typename T>
__device__ __forceinline__ void __nv_atomic_store_n(T* p, __ws_nv::value<T> v, int order,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __ws_nv::apply((__ws_nv::value<T>*)p, __ws_hook::kStore, order, scope, v);
}
template <typename T>
__device__ __forceinline__ void __nv_atomic_store(T* p, __ws_nv::value<T>* v, int order,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(p, *v, order, scope);
}
template <typename T>
__device__ __forceinline__ __ws_nv::value<T> __nv_atomic_exchange_n(T* p, __ws_nv::value<T> v, int order,
                                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __ws_nv::apply((__ws_nv::value<T>*)p, __ws_hook::kExchange, order, scope, v);
}
template <typename T>
__device__ __forceinline__ void __nv_atomic_exchange(T* p, __ws_nv::value<T>* v, __ws_nv::value<T>* result, int order,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(p, *v, order, scope);
}
template <typename T>
__device__ __forceinline__ bool __nv_atomic_compare_exchange_n(T* p, __ws_nv::value<T>* expected, __ws_nv::value<T> v,
                                                               bool, int success, int,
                                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const auto old = __ws_nv::apply((__ws_nv::value<T>*)p, __ws_hook::kCompareExchange, success, scope, v, *expected);
  const bool done = __ws_bits(old) == __ws_bits(*expected);
  if (!done) *expected = old;
  return done;
}
template <typename T>
__device__ __forceinline__ bool __nv_atomic_compare_exchange(T* p, __ws_nv::value<T>* expected, __ws_nv::value<T>* v,
                                                             bool weak, int success, int failure,
                                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(p, expected, *v, weak, success, failure, scope);
}

#define __WS_NV_FETCH(name, op, operand)                                                                           \
  template <typename T>                                                                                            \
  __device__ __forceinline__ __ws_nv::value<T> __nv_atomic_fetch_##name(T* p, __ws_nv::value<T> v, int order,      \
                                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {    \
    using V = __ws_nv::value<T>;                                                                                   \
    return __ws_nv::apply((V*)p, op, order, scope, (V)(operand));                                                  \
  }                                                                                                                \
  template <typename T>                                                                                            \
  __device__ __forceinline__ void __nv_atomic_##name(T* p, __ws_nv::value<T> v, int order,                         \
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {                       \
    __nv_atomic_fetch_##name(p, v, order, scope);                                                                  \
  }
#define __WS_NV_ADD (!__ws_nv::kind<V>::floating ? __ws_hook::kAdd : sizeof(V) == 4 ? __ws_hook::kAddFloat : __ws_hook::kAddDouble)
__WS_NV_FETCH(add, __WS_NV_ADD, v)
__WS_NV_FETCH(sub, __WS_NV_ADD, -v)
__WS_NV_FETCH(and, __ws_hook::kAnd, v)
__WS_NV_FETCH(or, __ws_hook::kOr, v)
__WS_NV_FETCH(xor, __ws_hook::kXor, v)
__WS_NV_FETCH(min, __ws_nv::kind<V>::is_signed ? __ws_hook::kMinSigned : __ws_hook::kMinUnsigned, v)
__WS_NV_FETCH(max, __ws_nv::kind<V>::is_signed ? __ws_hook::kMaxSigned : __ws_hook::kMaxUnsigned, v)
#undef __WS_NV_ADD
#undef __WS_NV_FETCH

__device__ __forceinline__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED) return;
  __ws_fence(__ws_nv::scope_number(scope),
             order == __NV_ATOMIC_SEQ_CST ? __ws_hook::kScFence : __ws_nv::order_number(order));
}
__device__ __forceinline__ bool __nv_atomic_is_lock_free(size_t size, void*) { return size <= 8; }
__device__ __forceinline__ constexpr bool __nv_atomic_always_lock_free(size_t size, void*) { return size <= 8; }
