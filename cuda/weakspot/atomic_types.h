// SPDX-License-Identifier: MIT
// cuda::atomic and cuda::atomic_ref: every operation calls __ws_atomic with its scope and order; on the host, it uses
// the compiler's own atomics.
#pragma once

namespace __ws_cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum memory_order {
  memory_order_relaxed = 0,
  memory_order_consume = 1,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
};

namespace __ws {

// Atomic for the thread alone: such an operation is an ordinary access to others, and never calls a hook.
constexpr int kAlone = -1;

__host__ __device__ constexpr int scope_number(thread_scope scope) {
  return scope == thread_scope_system   ? __ws_hook::kSystemScope
         : scope == thread_scope_device ? __ws_hook::kDeviceScope
         : scope == thread_scope_block  ? __ws_hook::kBlockScope
                                        : kAlone;
}
__host__ __device__ constexpr int order_number(memory_order order) {
  return order == memory_order_relaxed                                    ? __ws_hook::kRelaxedOrder
         : order == memory_order_consume || order == memory_order_acquire ? __ws_hook::kAcquireOrder
         : order == memory_order_release                                  ? __ws_hook::kReleaseOrder
                                                                          : __ws_hook::kAcqRelOrder;
}

__host__ __device__ constexpr int fence_number(memory_order order) {
  return order == memory_order_seq_cst ? __ws_hook::kScFence : order_number(order);
}

// A sequentially consistent operation has a fence before it.
__device__ __forceinline__ void order_before(memory_order order, int scope) {
  if (order == memory_order_seq_cst) __ws_fence(scope, __ws_hook::kScFence);
}

template <typename T>
struct kind {
  static constexpr bool floating = __is_same(T, float) || __is_same(T, double);
  static constexpr bool is_signed = T(-1) < T(0);
};
template <typename T>
struct kind<T*> {
  static constexpr bool floating = false, is_signed = false;
};

template <typename T>
__device__ __forceinline__ T apply_alone(T* address, int operation, T operand, T compare) {
  if (operation == __ws_hook::kStore) {
    *address = operand;
    return operand;
  }
  const T old = *address;
  const auto a = __ws_bits(old), b = __ws_bits(operand);
  T made = operand;
  switch (operation) {
    case __ws_hook::kLoad:
      return old;
    case __ws_hook::kCompareExchange:
      if (a != __ws_bits(compare)) return old;
      break;
    case __ws_hook::kAdd:
      made = __ws_value<T>(a + b);
      break;
    case __ws_hook::kSub:
      made = __ws_value<T>(a - b);
      break;
    case __ws_hook::kAnd:
      made = __ws_value<T>(a & b);
      break;
    case __ws_hook::kOr:
      made = __ws_value<T>(a | b);
      break;
    case __ws_hook::kXor:
      made = __ws_value<T>(a ^ b);
      break;
    case __ws_hook::kMinSigned:
    case __ws_hook::kMinUnsigned:
      if (!(operand < old)) made = old;
      break;
    case __ws_hook::kMaxSigned:
    case __ws_hook::kMaxUnsigned:
      if (!(old < operand)) made = old;
      break;
    case __ws_hook::kAddFloat:
    case __ws_hook::kAddDouble:
      if constexpr (kind<T>::floating) made = old + operand;
      break;
  }
  *address = made;
  return old;
}

template <typename T>
__device__ __forceinline__ T apply(T* address, int operation, int scope, memory_order order, T operand,
                                   T compare = T()) {
  if (scope == kAlone) return apply_alone(address, operation, operand, compare);
  order_before(order, scope);
  return __ws_value<T>(__ws_atomic((void*)address, operation, sizeof(T), scope, order_number(order), __ws_bits(operand),
                                   __ws_bits(compare)));
}

// The operations of both types, on an object found by Self::address().
template <typename Self, typename T, thread_scope Scope>
struct operations {
  static_assert(sizeof(T) <= 8, "atomics of more than eight bytes are not modelled");
  static constexpr int scope = scope_number(Scope);

  __host__ __device__ __forceinline__ T* at() const { return static_cast<const Self*>(this)->address(); }

#if defined(__CUDA_ARCH__)
  __host__ __device__ __forceinline__ T load(memory_order o = memory_order_seq_cst) const {
    return apply(at(), __ws_hook::kLoad, scope, o, T());
  }
  __host__ __device__ __forceinline__ void store(T v, memory_order o = memory_order_seq_cst) const {
    apply(at(), __ws_hook::kStore, scope, o, v);
  }
  __host__ __device__ __forceinline__ T exchange(T v, memory_order o = memory_order_seq_cst) const {
    return apply(at(), __ws_hook::kExchange, scope, o, v);
  }
  __host__ __device__ __forceinline__ bool compare_exchange_strong(T& expected, T v, memory_order o,
                                                                   memory_order) const {
    const T old = apply(at(), __ws_hook::kCompareExchange, scope, o, v, expected);
    const bool done = __ws_bits(old) == __ws_bits(expected);
    if (!done) expected = old;
    return done;
  }
#define __WS_FETCH(name, op)                                                                     \
  __host__ __device__ __forceinline__ T name(T v, memory_order o = memory_order_seq_cst) const { \
    return apply(at(), op, scope, o, v);                                                         \
  }
#define __WS_FLOATING_OR(op) (!kind<T>::floating ? op : sizeof(T) == 4 ? __ws_hook::kAddFloat : __ws_hook::kAddDouble)
  __WS_FETCH(fetch_add, __WS_FLOATING_OR(__ws_hook::kAdd))
  __WS_FETCH(fetch_and, __ws_hook::kAnd)
  __WS_FETCH(fetch_or, __ws_hook::kOr)
  __WS_FETCH(fetch_xor, __ws_hook::kXor)
  __WS_FETCH(fetch_min, kind<T>::is_signed ? __ws_hook::kMinSigned : __ws_hook::kMinUnsigned)
  __WS_FETCH(fetch_max, kind<T>::is_signed ? __ws_hook::kMaxSigned : __ws_hook::kMaxUnsigned)
#undef __WS_FETCH
#undef __WS_FLOATING_OR
  __host__ __device__ __forceinline__ T fetch_sub(T v, memory_order o = memory_order_seq_cst) const {
    if constexpr (kind<T>::floating) {
      return fetch_add(-v, o);
    } else {
      return apply(at(), __ws_hook::kSub, scope, o, v);
    }
  }
#else
  __host__ __device__ T load(memory_order = memory_order_seq_cst) const {
    T v;
    __atomic_load(at(), &v, 5);
    return v;
  }
  __host__ __device__ void store(T v, memory_order = memory_order_seq_cst) const { __atomic_store(at(), &v, 5); }
  __host__ __device__ T exchange(T v, memory_order = memory_order_seq_cst) const {
    T old;
    __atomic_exchange(at(), &v, &old, 5);
    return old;
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T v, memory_order, memory_order) const {
    return __atomic_compare_exchange(at(), &expected, &v, false, 5, 5);
  }
  template <typename F>
  __host__ __device__ T update(F f) const {
    T old = load();
    while (!compare_exchange_strong(old, f(old), memory_order_seq_cst, memory_order_seq_cst)) {
    }
    return old;
  }
#define __WS_FETCH(name, e)                                                    \
  __host__ __device__ T name(T v, memory_order = memory_order_seq_cst) const { \
    return update([=](T a) -> T { return e; });                                \
  }
  __WS_FETCH(fetch_add, a + v)
  __WS_FETCH(fetch_sub, a - v)
  __WS_FETCH(fetch_and, a& v)
  __WS_FETCH(fetch_or, a | v)
  __WS_FETCH(fetch_xor, a ^ v)
  __WS_FETCH(fetch_min, v < a ? v : a)
  __WS_FETCH(fetch_max, a < v ? v : a)
#undef __WS_FETCH
#endif
  __host__ __device__ __forceinline__ bool compare_exchange_strong(T& expected, T v,
                                                                   memory_order o = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, v, o, o);
  }
  __host__ __device__ __forceinline__ bool compare_exchange_weak(T& expected, T v,
                                                                 memory_order o = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, v, o, o);
  }
  __host__ __device__ __forceinline__ bool compare_exchange_weak(T& expected, T v, memory_order o,
                                                                 memory_order f) const {
    return compare_exchange_strong(expected, v, o, f);
  }
  // Waits until the value changes, and lets other threads run.
  __host__ __device__ __forceinline__ void wait(T old, memory_order o = memory_order_seq_cst) const {
    while (load(o) == old) {
    }
  }
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}
  __host__ __device__ bool is_lock_free() const { return true; }

  __host__ __device__ __forceinline__ operator T() const { return load(); }
  __host__ __device__ __forceinline__ T operator++() const { return fetch_add(T(1)) + T(1); }
  __host__ __device__ __forceinline__ T operator++(int) const { return fetch_add(T(1)); }
  __host__ __device__ __forceinline__ T operator--() const { return fetch_sub(T(1)) - T(1); }
  __host__ __device__ __forceinline__ T operator--(int) const { return fetch_sub(T(1)); }
  __host__ __device__ __forceinline__ T operator+=(T v) const { return fetch_add(v) + v; }
  __host__ __device__ __forceinline__ T operator-=(T v) const { return fetch_sub(v) - v; }
  __host__ __device__ __forceinline__ T operator&=(T v) const { return fetch_and(v) & v; }
  __host__ __device__ __forceinline__ T operator|=(T v) const { return fetch_or(v) | v; }
  __host__ __device__ __forceinline__ T operator^=(T v) const { return fetch_xor(v) ^ v; }
};

}  // namespace __ws

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic : __ws::operations<atomic<T, Scope>, T, Scope> {
  using value_type = T;
  constexpr atomic() noexcept = default;
  __host__ __device__ constexpr atomic(T v) noexcept : value_(v) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __host__ __device__ __forceinline__ T operator=(T v) {
    this->store(v);
    return v;
  }
  __host__ __device__ __forceinline__ T* address() const { return const_cast<T*>(&value_); }

 private:
  T value_;
};

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic_ref : __ws::operations<atomic_ref<T, Scope>, T, Scope> {
  using value_type = T;
  __host__ __device__ __forceinline__ explicit atomic_ref(T& v) noexcept : address_(&v) {}
  __host__ __device__ __forceinline__ atomic_ref(const atomic_ref& other) noexcept : address_(other.address_) {}
  __host__ __device__ __forceinline__ T operator=(T v) const {
    this->store(v);
    return v;
  }
  __host__ __device__ __forceinline__ T* address() const { return address_; }

 private:
  T* address_;
};

template <thread_scope Scope = thread_scope_system>
struct atomic_flag {
  __host__ __device__ bool test(memory_order o = memory_order_seq_cst) const { return value_.load(o) != 0; }
  __host__ __device__ bool test_and_set(memory_order o = memory_order_seq_cst) { return value_.exchange(1, o) != 0; }
  __host__ __device__ void clear(memory_order o = memory_order_seq_cst) { value_.store(0, o); }

 private:
  atomic<int, Scope> value_;
};

__host__ __device__ __forceinline__ void atomic_thread_fence(memory_order o, thread_scope scope = thread_scope_system) {
#if defined(__CUDA_ARCH__)
  if (o != memory_order_relaxed && scope != thread_scope_thread) {
    __ws_fence(__ws::scope_number(scope), __ws::fence_number(o));
  }
#else
  __atomic_thread_fence(5);
#endif
}

// For cuda_names.h, which is read after the user's macros and has no names that these could change.
namespace __ws_std {
template <typename T>
using atomic = ::__ws_cuda::atomic<T, thread_scope_system>;
template <typename T>
using atomic_ref = ::__ws_cuda::atomic_ref<T, thread_scope_system>;
using atomic_flag = ::__ws_cuda::atomic_flag<thread_scope_system>;
}  // namespace __ws_std

}  // namespace __ws_cuda
