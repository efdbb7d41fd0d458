// SPDX-License-Identifier: MIT
// The algorithms of thrust by their names. Each has a form for the host, which starts a kernel where the ranges are on
// the device, and one for kernels, which is a loop of the calling thread.
#pragma once

#include "operations.h"

namespace __ws_thrust {

#define __WS_BOTH_SIDES(name, operation, host_result, device_result)                \
  template <typename... A> inline auto name(A... a) {                              \
    using Operation = ops::operation;                                              \
    return host_result;                                                            \
  }                                                                                \
  template <typename... A> __device__ inline auto name(A... a) {                   \
    using Operation = ops::operation;                                              \
    return device_result;                                                          \
  }
#define __WS_VALUE(name, operation) \
  __WS_BOTH_SIDES(name, operation, __ws_thrust::run<Operation>(a...), __ws_thrust::run_here<Operation>(a...))
// Its result is a position in the range that starts at argument n.
#define __WS_POSITION(name, operation, n)                                        \
  __WS_BOTH_SIDES(name, operation, __ws_thrust::argument<n>(a...) + __ws_thrust::run<Operation>(a...), \
                  __ws_thrust::argument<n>(a...) + __ws_thrust::run_here<Operation>(a...))
#define __WS_POSITIONS(name, operation, n, m)                                           \
  __WS_BOTH_SIDES(name, operation,                                                      \
                  __ws_thrust::moved(__ws_thrust::argument<n>(a...), __ws_thrust::argument<m>(a...), __ws_thrust::run<Operation>(a...)), \
                  __ws_thrust::moved(__ws_thrust::argument<n>(a...), __ws_thrust::argument<m>(a...), __ws_thrust::run_here<Operation>(a...)))

template <typename A, typename B>
__host__ __device__ inline pair<A, B> moved(A a, B b, ops::distances by) {
  return pair<A, B>(a + by.first, b + by.second);
}

__WS_VALUE(sort, sort)
__WS_VALUE(stable_sort, sort)
__WS_VALUE(sort_by_key, sort_by_key)
__WS_VALUE(stable_sort_by_key, sort_by_key)
__WS_VALUE(is_sorted, is_sorted)
__WS_VALUE(fill, fill)
__WS_VALUE(uninitialized_fill, fill)
__WS_VALUE(sequence, sequence)
__WS_VALUE(tabulate, tabulate)
__WS_VALUE(generate, generate)
__WS_VALUE(replace, replace)
__WS_VALUE(replace_if, replace_if)
__WS_VALUE(reverse, reverse)
__WS_VALUE(shuffle, shuffle)
__WS_VALUE(scatter, scatter)
__WS_VALUE(scatter_if, scatter_if)
__WS_VALUE(reduce, reduce)
__WS_VALUE(transform_reduce, transform_reduce)
__WS_VALUE(inner_product, inner_product)
__WS_VALUE(count, count)
__WS_VALUE(count_if, count_if)
__WS_VALUE(any_of, any_of)
__WS_VALUE(all_of, all_of)
__WS_VALUE(none_of, none_of)
__WS_VALUE(equal, equal)
__WS_VALUE(binary_search, binary_search)
__WS_POSITION(copy_if, copy_if, (sizeof...(A) - is_policy<decltype(__ws_thrust::first_of(a...))> == 5 ? 3 : 2))
__WS_POSITION(remove_copy_if, remove_copy_if, 2)
__WS_POSITION(remove_if, remove_if, 0)
__WS_POSITION(remove, remove, 0)
__WS_POSITION(partition, partition, 0)
__WS_POSITION(stable_partition, partition, 0)
__WS_POSITION(unique, unique, 0)
__WS_POSITION(unique_copy, unique_copy, 2)
__WS_POSITION(transform, transform, (sizeof...(A) - is_policy<decltype(__ws_thrust::first_of(a...))> == 5 ? 3 : 2))
__WS_POSITION(transform_if, transform_if, (sizeof...(A) - is_policy<decltype(__ws_thrust::first_of(a...))> == 6 ? 3 : 2))
__WS_POSITION(for_each, for_each, 0)
__WS_POSITION(for_each_n, for_each_n, 0)
__WS_POSITION(fill_n, fill_n, 0)
__WS_POSITION(gather, gather, 3)
__WS_POSITION(find, find, 0)
__WS_POSITION(find_if, find_if, 0)
__WS_POSITION(find_if_not, find_if_not, 0)
__WS_POSITION(max_element, max_element, 0)
__WS_POSITION(min_element, min_element, 0)
__WS_POSITION(inclusive_scan, inclusive_scan, 2)
__WS_POSITION(exclusive_scan, exclusive_scan, 2)
__WS_POSITION(transform_inclusive_scan, transform_inclusive_scan, 2)
__WS_POSITION(transform_exclusive_scan, transform_exclusive_scan, 2)
__WS_POSITION(inclusive_scan_by_key, inclusive_scan_by_key, 3)
__WS_POSITION(exclusive_scan_by_key, exclusive_scan_by_key, 3)
__WS_POSITION(adjacent_difference, adjacent_difference, 2)
__WS_POSITION(lower_bound, lower_bound, (sizeof...(A) - is_policy<decltype(__ws_thrust::first_of(a...))> > 4 ? 4 : 0))
__WS_POSITION(upper_bound, upper_bound, (sizeof...(A) - is_policy<decltype(__ws_thrust::first_of(a...))> > 4 ? 4 : 0))
__WS_POSITION(merge, merge, 4)
__WS_POSITIONS(minmax_element, minmax_element, 0, 0)
__WS_POSITIONS(unique_by_key, unique_by_key, 0, 2)
__WS_POSITIONS(unique_by_key_copy, unique_by_key_copy, 3, 4)
__WS_POSITIONS(reduce_by_key, reduce_by_key, 3, 4)
#undef __WS_BOTH_SIDES
#undef __WS_VALUE
#undef __WS_POSITION
#undef __WS_POSITIONS

// Copies also go between the host and the device.
template <typename It, typename O> inline O copy_across(It first, It last, O out) {
  const size_t n = (size_t)(last - first);
  if (n == 0) return out;
  using From = value_of<It>;
  using To = value_of<O>;
  if constexpr (place_of<It>::value == place::device) {
    static_assert(place_of<It>::value == place::device, "");
    From* staged = nullptr;
    __wsMalloc((void**)&staged, n * sizeof(From));
    __ws_thrust::run_where<ops::copy>(device, first, last, device_ptr<From>(staged));
    From* here = (From*)malloc(n * sizeof(From));
    cudaMemcpy((void*)here, (const void*)staged, n * sizeof(From), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; ++i) *(out + (ptrdiff_t)i) = here[i];
    free(here);
    cudaFree((void*)staged);
  } else {
    To* here = (To*)malloc(n * sizeof(To));
    for (size_t i = 0; i < n; ++i) new (here + i, made_at()) To(*(first + (ptrdiff_t)i));
    To* staged = nullptr;
    __wsMalloc((void**)&staged, n * sizeof(To));
    cudaMemcpy((void*)staged, (const void*)here, n * sizeof(To), cudaMemcpyHostToDevice);
    __ws_thrust::run_where<ops::copy>(device, device_ptr<To>(staged), device_ptr<To>(staged) + (ptrdiff_t)n, out);
    free(here);
    cudaFree((void*)staged);
  }
  return out + (ptrdiff_t)n;
}
template <typename T> inline device_ptr<T> copy_across(const T* first, const T* last, device_ptr<T> out) {
  cudaMemcpy((void*)out.get(), (const void*)first, (size_t)(last - first) * sizeof(T), cudaMemcpyDefault);
  return out + (last - first);
}
template <typename T> inline T* copy_across(device_ptr<T> first, device_ptr<T> last, T* out) {
  cudaMemcpy((void*)out, (const void*)first.get(), (size_t)(last - first) * sizeof(T), cudaMemcpyDefault);
  return out + (last - first);
}
template <typename It, typename O> inline O copy(It first, It last, O out) {
  constexpr bool from = place_of<It>::value == place::device, to = place_of<O>::value == place::device;
  constexpr bool from_host = place_of<It>::value == place::host, to_host = place_of<O>::value == place::host;
  if constexpr ((from && to_host) || (from_host && to)) {
    return __ws_thrust::copy_across(first, last, out);
  } else {
    return out + __ws_thrust::run<ops::copy>(first, last, out);
  }
}
template <typename P, typename It, typename O, typename = typename std::enable_if<is_policy<P>>::type>
inline O copy(const P& policy, It first, It last, O out) {
  constexpr bool from = place_of<It>::value == place::device, to = place_of<O>::value == place::device;
  if constexpr (from != to && !std::is_pointer<It>::value && !std::is_pointer<O>::value) {
    return __ws_thrust::copy_across(first, last, out);
  } else {
    return out + __ws_thrust::run_where<ops::copy>(policy, first, last, out);
  }
}
template <typename It, typename O> inline O copy_n(It first, ptrdiff_t n, O out) {
  return __ws_thrust::copy(first, first + n, out);
}
template <typename P, typename It, typename O, typename = typename std::enable_if<is_policy<P>>::type>
inline O copy_n(const P& policy, It first, ptrdiff_t n, O out) {
  return __ws_thrust::copy(policy, first, first + n, out);
}
template <typename... A> inline auto uninitialized_copy(A... a) { return __ws_thrust::copy(a...); }
template <typename... A> __device__ inline auto copy(A... a) {
  return __ws_thrust::argument<2>(a...) + __ws_thrust::run_here<ops::copy>(a...);
}

template <typename T> __host__ __device__ inline void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}

}  // namespace __ws_thrust
