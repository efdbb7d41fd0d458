// SPDX-License-Identifier: MIT
// The functions of cub for a whole device. Each is a kernel of one thread. They need no temporary storage, but say one
// byte, since a size of 0 would make programs skip the second call.
#pragma once

#include "order.h"
#include "../thrust/vectors.h"

namespace __ws_cub {

namespace ops = __ws_thrust::ops;
using __ws_thrust::device_policy;

template <typename T> struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  T* Current() const { return d_buffers[selector]; }
  T* Alternate() const { return d_buffers[selector ^ 1]; }
};
template <typename T, typename Offset = ptrdiff_t> using CountingInputIterator = __ws_thrust::counting_iterator<T>;
template <typename T, typename Offset = ptrdiff_t> using ConstantInputIterator = __ws_thrust::constant_iterator<T>;
template <typename T, typename F, typename It, typename Offset = ptrdiff_t>
using TransformInputIterator = __ws_thrust::transform_iterator<F, It>;
template <int M, typename T, typename Offset = ptrdiff_t> using CacheModifiedInputIterator = const T*;
using DiscardOutputIterator = __ws_thrust::discard_iterator;

// True if the call only asks how much temporary storage is needed.
inline bool asks_for_size(void* temp, size_t& bytes) {
  if (temp == nullptr) bytes = 1;
  return temp == nullptr;
}
template <typename Operation, typename... A>
inline cudaError_t start(void* temp, size_t& bytes, cudaStream_t stream, A... arguments) {
  if (__ws_cub::asks_for_size(temp, bytes)) return cudaSuccess;
  __ws_thrust::run_on_device<Operation, __ws_thrust::nothing>
      <<<1, 1, 0, stream>>>(Operation(), (__ws_thrust::nothing*)nullptr, __ws_thrust::__ws_raw(arguments)...);
  return cudaPeekAtLastError();
}

template <typename It> using value_at = typename std::iterator_traits<decltype(__ws_thrust::__ws_raw(std::declval<It>()))>::value_type;

// The least and the greatest value of a type, on both sides.
template <typename T, bool Greatest> __host__ __device__ constexpr T extreme() {
  if constexpr (std::is_floating_point<T>::value) {
    const T infinite = (T)__builtin_huge_valf();
    return Greatest ? infinite : -infinite;
  } else if constexpr (std::is_signed<T>::value) {
    const T greatest = (T)((1ull << (sizeof(T) * 8 - 1)) - 1);
    return Greatest ? greatest : (T)(-greatest - 1);
  } else {
    return Greatest ? (T)~(T)0 : (T)0;
  }
}

struct reduce_to {
  template <typename It, typename O, typename Op, typename T>
  __device__ void operator()(It from, O to, long long n, Op op, T sum) const {
    *to = ops::reduce()(from, from + n, sum, op);
  }
};
template <bool Greater> struct arg_to {
  template <typename It, typename O> __device__ void operator()(It from, O to, long long n) const {
    long long best = 0;
    for (long long i = 1; i < n; ++i) best = (Greater ? from[best] < from[i] : from[i] < from[best]) ? i : best;
    KeyValuePair<int, typename std::iterator_traits<It>::value_type> found{(int)best, from[best]};
    *to = found;
  }
};
struct segments_to {
  template <typename It, typename O, typename B, typename E, typename Op, typename T>
  __device__ void operator()(It from, O to, int n, B begins, E ends, Op op, T sum) const {
    for (int i = 0; i < n; ++i) to[i] = ops::reduce()(from + begins[i], from + ends[i], sum, op);
  }
};

struct DeviceReduce {
  template <typename It, typename O, typename Op, typename T>
  static cudaError_t Reduce(void* temp, size_t& bytes, It from, O to, long long n, Op op, T sum, cudaStream_t stream = 0) {
    return __ws_cub::start<reduce_to>(temp, bytes, stream, from, to, n, op, sum);
  }
  template <typename It, typename O>
  static cudaError_t Sum(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, __ws_cub::Sum(), value_at<It>(), stream);
  }
  template <typename It, typename O>
  static cudaError_t Max(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, __ws_cub::Max(), extreme<value_at<It>, false>(), stream);
  }
  template <typename It, typename O>
  static cudaError_t Min(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, __ws_cub::Min(), extreme<value_at<It>, true>(), stream);
  }
  template <typename It, typename O>
  static cudaError_t ArgMax(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return __ws_cub::start<arg_to<true>>(temp, bytes, stream, from, to, n);
  }
  template <typename It, typename O>
  static cudaError_t ArgMin(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return __ws_cub::start<arg_to<false>>(temp, bytes, stream, from, to, n);
  }
};
struct DeviceSegmentedReduce {
  template <typename It, typename O, typename B, typename E, typename Op, typename T>
  static cudaError_t Reduce(void* temp, size_t& bytes, It from, O to, int n, B begins, E ends, Op op, T sum,
                            cudaStream_t stream = 0) {
    return __ws_cub::start<segments_to>(temp, bytes, stream, from, to, n, begins, ends, op, sum);
  }
  template <typename It, typename O, typename B, typename E>
  static cudaError_t Sum(void* temp, size_t& bytes, It from, O to, int n, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, begins, ends, __ws_cub::Sum(), value_at<It>(), stream);
  }
  template <typename It, typename O, typename B, typename E>
  static cudaError_t Max(void* temp, size_t& bytes, It from, O to, int n, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, begins, ends, __ws_cub::Max(), extreme<value_at<It>, false>(), stream);
  }
  template <typename It, typename O, typename B, typename E>
  static cudaError_t Min(void* temp, size_t& bytes, It from, O to, int n, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, from, to, n, begins, ends, __ws_cub::Min(), extreme<value_at<It>, true>(), stream);
  }
};

struct DeviceScan {
  template <typename It, typename O>
  static cudaError_t InclusiveSum(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return InclusiveScan(temp, bytes, from, to, __ws_cub::Sum(), n, stream);
  }
  template <typename It, typename O>
  static cudaError_t ExclusiveSum(void* temp, size_t& bytes, It from, O to, long long n, cudaStream_t stream = 0) {
    return ExclusiveScan(temp, bytes, from, to, __ws_cub::Sum(), value_at<It>(), n, stream);
  }
  template <typename It, typename O, typename Op>
  static cudaError_t InclusiveScan(void* temp, size_t& bytes, It from, O to, Op op, long long n, cudaStream_t stream = 0) {
    return __ws_cub::start<ops::inclusive_scan>(temp, bytes, stream, from, from + n, to, op);
  }
  template <typename It, typename O, typename Op, typename T>
  static cudaError_t ExclusiveScan(void* temp, size_t& bytes, It from, O to, Op op, T sum, long long n,
                                   cudaStream_t stream = 0) {
    return __ws_cub::start<ops::exclusive_scan>(temp, bytes, stream, from, from + n, to, sum, op);
  }
};

// Writes what is kept, in its order, and how many.
struct select_to {
  template <typename It, typename S, typename O, typename N, typename P>
  __device__ void operator()(It from, S flags, O to, N count, long long n, P p, bool rest) const {
    long long kept = 0, dropped = 0;
    for (long long i = 0; i < n; ++i) {
      if (p(flags[i])) {
        to[kept++] = from[i];
      } else if (rest) {
        to[n - ++dropped] = from[i];
      }
    }
    *count = kept;
  }
};
struct unique_to {
  template <typename It, typename O, typename N>
  __device__ void operator()(It from, O to, N count, long long n) const {
    *count = ops::unique_copy()(from, from + n, to);
  }
};
struct is_set {
  template <typename T> __host__ __device__ bool operator()(const T& flag) const { return (bool)flag; }
};
struct DeviceSelect {
  template <typename It, typename S, typename O, typename N>
  static cudaError_t Flagged(void* temp, size_t& bytes, It from, S flags, O to, N count, long long n,
                             cudaStream_t stream = 0) {
    return __ws_cub::start<select_to>(temp, bytes, stream, from, flags, to, count, n, is_set(), false);
  }
  template <typename It, typename O, typename N, typename P>
  static cudaError_t If(void* temp, size_t& bytes, It from, O to, N count, long long n, P p, cudaStream_t stream = 0) {
    return __ws_cub::start<select_to>(temp, bytes, stream, from, from, to, count, n, p, false);
  }
  template <typename It, typename O, typename N>
  static cudaError_t Unique(void* temp, size_t& bytes, It from, O to, N count, long long n, cudaStream_t stream = 0) {
    return __ws_cub::start<unique_to>(temp, bytes, stream, from, to, count, n);
  }
};
struct DevicePartition {
  template <typename It, typename S, typename O, typename N>
  static cudaError_t Flagged(void* temp, size_t& bytes, It from, S flags, O to, N count, long long n,
                             cudaStream_t stream = 0) {
    return __ws_cub::start<select_to>(temp, bytes, stream, from, flags, to, count, n, is_set(), true);
  }
  template <typename It, typename O, typename N, typename P>
  static cudaError_t If(void* temp, size_t& bytes, It from, O to, N count, long long n, P p, cudaStream_t stream = 0) {
    return __ws_cub::start<select_to>(temp, bytes, stream, from, from, to, count, n, p, true);
  }
};

template <typename K, bool Descending> struct sort_to {
  __device__ void operator()(const K* from, K* to, long long n, int begin, int end) const {
    if (to != from) ops::copy()(from, from + n, to);
    ops::sort()(to, to + n, ByBits<K, Descending>{begin, end});
  }
  template <typename V>
  __device__ void operator()(const K* from, K* to, const V* values, V* to_values, long long n, int begin, int end) const {
    if (to != from) ops::copy()(from, from + n, to);
    if (to_values != values) ops::copy()(values, values + n, to_values);
    ops::sort_by_key()(to, to + n, to_values, ByBits<K, Descending>{begin, end});
  }
};
struct DeviceRadixSort {
#define __WS_SORT(name, descending)                                                                                   \
  template <typename K>                                                                                               \
  static cudaError_t SortKeys##name(void* temp, size_t& bytes, const K* from, K* to, long long n, int begin = 0,      \
                                    int end = sizeof(K) * 8, cudaStream_t stream = 0) {                               \
    return __ws_cub::start<sort_to<K, descending>>(temp, bytes, stream, from, to, n, begin, end);                               \
  }                                                                                                                   \
  template <typename K>                                                                                               \
  static cudaError_t SortKeys##name(void* temp, size_t& bytes, DoubleBuffer<K>& keys, long long n, int begin = 0,     \
                                    int end = sizeof(K) * 8, cudaStream_t stream = 0) {                               \
    if (__ws_cub::asks_for_size(temp, bytes)) return cudaSuccess;                                                               \
    keys.selector ^= 1;                                                                                               \
    return SortKeys##name(temp, bytes, (const K*)keys.Alternate(), keys.Current(), n, begin, end, stream);            \
  }                                                                                                                   \
  template <typename K, typename V>                                                                                   \
  static cudaError_t SortPairs##name(void* temp, size_t& bytes, const K* from, K* to, const V* values, V* to_values,  \
                                     long long n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {  \
    return __ws_cub::start<sort_to<K, descending>>(temp, bytes, stream, from, to, values, to_values, n, begin, end);            \
  }                                                                                                                   \
  template <typename K, typename V>                                                                                   \
  static cudaError_t SortPairs##name(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,       \
                                     long long n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {  \
    if (__ws_cub::asks_for_size(temp, bytes)) return cudaSuccess;                                                               \
    keys.selector ^= 1;                                                                                               \
    values.selector ^= 1;                                                                                             \
    return SortPairs##name(temp, bytes, (const K*)keys.Alternate(), keys.Current(), (const V*)values.Alternate(),     \
                           values.Current(), n, begin, end, stream);                                                  \
  }
  __WS_SORT(, false)
  __WS_SORT(Descending, true)
#undef __WS_SORT
};

struct histogram_to {
  template <typename It, typename C, typename L>
  __device__ void operator()(It from, C* histogram, int levels, L lower, L upper, long long n) const {
    for (int i = 0; i < levels - 1; ++i) histogram[i] = 0;
    for (long long i = 0; i < n; ++i) {
      const L value = (L)from[i];
      if (value >= lower && value < upper) {
        ++histogram[(int)((double)(value - lower) / (double)(upper - lower) * (levels - 1))];
      }
    }
  }
};
struct DeviceHistogram {
  template <typename It, typename C, typename L>
  static cudaError_t HistogramEven(void* temp, size_t& bytes, It from, C* histogram, int levels, L lower, L upper,
                                   long long n, cudaStream_t stream = 0) {
    return __ws_cub::start<histogram_to>(temp, bytes, stream, from, histogram, levels, lower, upper, n);
  }
};
struct runs_to {
  template <typename It, typename O, typename L, typename N>
  __device__ void operator()(It from, O values, L lengths, N count, long long n) const {
    long long runs = 0, begin = 0;
    for (long long i = 1; i <= n; ++i) {
      if (i < n && from[i] == from[begin]) continue;
      values[runs] = from[begin];
      lengths[runs++] = i - begin;
      begin = i;
    }
    *count = runs;
  }
};
struct DeviceRunLengthEncode {
  template <typename It, typename O, typename L, typename N>
  static cudaError_t Encode(void* temp, size_t& bytes, It from, O values, L lengths, N count, long long n,
                            cudaStream_t stream = 0) {
    return __ws_cub::start<runs_to>(temp, bytes, stream, from, values, lengths, count, n);
  }
};

// Hands memory on without keeping any.
struct CachingDeviceAllocator {
  template <typename... A> explicit CachingDeviceAllocator(A...) {}
  cudaError_t DeviceAllocate(void** to, size_t bytes, cudaStream_t = 0) { return __wsMalloc(to, bytes); }
  cudaError_t DeviceFree(void* at) { return cudaFree(at); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace __ws_cub
