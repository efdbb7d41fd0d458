// SPDX-License-Identifier: MIT
// What the algorithms of thrust do, as loops. An operation that returns an iterator returns its distance from one of
// its arguments instead: see algorithms.h.
#pragma once

#include "functions.h"
#include "run.h"

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {
struct made_at {};
}
__host__ __device__ inline void* operator new(size_t, void* at, __ws_thrust::made_at) noexcept { return at; }
__host__ __device__ inline void operator delete(void*, void*, __ws_thrust::made_at) noexcept {}

namespace __ws_thrust {
namespace ops {

template <typename It> using value_at = typename std::iterator_traits<It>::value_type;

// Sorts by merging, which keeps equal elements in their order.
template <typename It, typename Less> __WS_BOTH void merge_sort(It first, ptrdiff_t n, Less less) {
  using T = value_at<It>;
  if (n < 2) return;
  T* copy = (T*)malloc((size_t)n * sizeof(T));
  for (ptrdiff_t i = 0; i < n; ++i) new (copy + i, made_at()) T(first[i]);
  for (ptrdiff_t width = 1; width < n; width *= 2) {
    for (ptrdiff_t begin = 0; begin < n; begin += 2 * width) {
      const ptrdiff_t middle = begin + width < n ? begin + width : n;
      const ptrdiff_t end = middle + width < n ? middle + width : n;
      ptrdiff_t left = begin, right = middle;
      for (ptrdiff_t to = begin; to < end; ++to) {
        const bool from_right = left == middle || (right < end && less(copy[right], copy[left]));
        first[to] = copy[from_right ? right++ : left++];
      }
    }
    for (ptrdiff_t i = 0; i < n; ++i) copy[i] = first[i];
  }
  for (ptrdiff_t i = 0; i < n; ++i) copy[i].~T();
  free(copy);
}
template <typename Less> struct by_first {
  Less less_;
  template <typename A, typename B> __WS_BOTH bool operator()(const A& a, const B& b) const {
    return less_(__ws_thrust::get<0>(a), __ws_thrust::get<0>(b));
  }
};

struct sort {
  template <typename It> __WS_BOTH void operator()(It f, It l) const { __ws_thrust::ops::merge_sort(f, l - f, less<>()); }
  template <typename It, typename C> __WS_BOTH void operator()(It f, It l, C c) const { __ws_thrust::ops::merge_sort(f, l - f, c); }
};
struct sort_by_key {
  template <typename K, typename V> __WS_BOTH void operator()(K f, K l, V v) const { (*this)(f, l, v, less<>()); }
  template <typename K, typename V, typename C> __WS_BOTH void operator()(K f, K l, V v, C c) const {
    __ws_thrust::ops::merge_sort(__ws_thrust::make_zip_iterator(f, v), l - f, by_first<C>{c});
  }
};
struct is_sorted {
  template <typename It> __WS_BOTH bool operator()(It f, It l) const { return (*this)(f, l, less<>()); }
  template <typename It, typename C> __WS_BOTH bool operator()(It f, It l, C c) const {
    for (ptrdiff_t i = 1; i < l - f; ++i) {
      if (c(f[i], f[i - 1])) return false;
    }
    return true;
  }
};

struct copy {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, O o) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) o[i] = f[i];
    return l - f;
  }
};
struct copy_n {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, ptrdiff_t n, O o) const {
    return copy()(f, f + n, o);
  }
};
struct copy_if {
  template <typename It, typename O, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, P p) const {
    return (*this)(f, l, f, o, p);
  }
  template <typename It, typename S, typename O, typename P>
  __WS_BOTH ptrdiff_t operator()(It f, It l, S s, O o, P p) const {
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (p(s[i])) o[kept++] = f[i];
    }
    return kept;
  }
};
struct remove_copy_if {
  template <typename It, typename O, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, P p) const {
    return copy_if()(f, l, o, negated<P>{p});
  }
};
struct remove_if {
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    return (*this)(f, l, f, p);
  }
  template <typename It, typename S, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, S s, P p) const {
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (p(s[i])) continue;
      if (kept != i) f[kept] = (value_at<It>)f[i];
      ++kept;
    }
    return kept;
  }
};
template <typename T> struct equals {
  T value_;
  template <typename U> __WS_BOTH bool operator()(const U& other) const { return other == value_; }
};
struct remove {
  template <typename It, typename T> __WS_BOTH ptrdiff_t operator()(It f, It l, T v) const {
    return remove_if()(f, l, equals<T>{v});
  }
};
struct partition {
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    using T = value_at<It>;
    ptrdiff_t kept = 0, moved = 0;
    T* others = (T*)malloc((size_t)(l - f) * sizeof(T));
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (p(f[i])) {
        f[kept++] = (T)f[i];
      } else {
        new (others + moved++, made_at()) T(f[i]);
      }
    }
    for (ptrdiff_t i = 0; i < moved; ++i) f[kept + i] = others[i];
    free(others);
    return kept;
  }
};
struct unique {
  template <typename It> __WS_BOTH ptrdiff_t operator()(It f, It l) const { return (*this)(f, l, equal_to<>()); }
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    ptrdiff_t kept = l - f < 1 ? 0 : 1;
    for (ptrdiff_t i = 1; i < l - f; ++i) {
      if (!p(f[kept - 1], f[i])) f[kept++] = (value_at<It>)f[i];
    }
    return kept;
  }
};
struct unique_copy {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, O o) const {
    return (*this)(f, l, o, equal_to<>());
  }
  template <typename It, typename O, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, P p) const {
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (i == 0 || !p(f[i - 1], f[i])) o[kept++] = f[i];
    }
    return kept;
  }
};
struct distances {
  ptrdiff_t first, second;
};
struct unique_by_key {
  template <typename K, typename V> __WS_BOTH distances operator()(K f, K l, V v) const {
    return (*this)(f, l, v, equal_to<>());
  }
  template <typename K, typename V, typename P> __WS_BOTH distances operator()(K f, K l, V v, P p) const {
    ptrdiff_t kept = l - f < 1 ? 0 : 1;
    for (ptrdiff_t i = 1; i < l - f; ++i) {
      if (p(f[kept - 1], f[i])) continue;
      f[kept] = (value_at<K>)f[i];
      v[kept] = (value_at<V>)v[i];
      ++kept;
    }
    return {kept, kept};
  }
};

struct unique_by_key_copy {
  template <typename K, typename V, typename L, typename W>
  __WS_BOTH distances operator()(K f, K l, V v, L keys, W values) const {
    return (*this)(f, l, v, keys, values, equal_to<>());
  }
  template <typename K, typename V, typename L, typename W, typename P>
  __WS_BOTH distances operator()(K f, K l, V v, L keys, W values, P p) const {
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (i > 0 && p(f[i - 1], f[i])) continue;
      keys[kept] = f[i];
      values[kept++] = v[i];
    }
    return {kept, kept};
  }
};

struct transform {
  template <typename It, typename O, typename F> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, F function) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) o[i] = function(f[i]);
    return l - f;
  }
  template <typename It, typename Jt, typename O, typename F>
  __WS_BOTH ptrdiff_t operator()(It f, It l, Jt g, O o, F function) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) o[i] = function(f[i], g[i]);
    return l - f;
  }
};
struct transform_if {
  template <typename It, typename O, typename F, typename P>
  __WS_BOTH ptrdiff_t operator()(It f, It l, O o, F function, P p) const {
    return (*this)(f, l, f, o, function, p);
  }
  template <typename It, typename S, typename O, typename F, typename P>
  __WS_BOTH ptrdiff_t operator()(It f, It l, S s, O o, F function, P p) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (p(s[i])) o[i] = function(f[i]);
    }
    return l - f;
  }
};
struct for_each {
  template <typename It, typename F> __WS_BOTH ptrdiff_t operator()(It f, It l, F function) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) function(f[i]);
    return l - f;
  }
};
struct for_each_n {
  template <typename It, typename F> __WS_BOTH ptrdiff_t operator()(It f, ptrdiff_t n, F function) const {
    return for_each()(f, f + n, function);
  }
};
struct fill {
  template <typename It, typename T> __WS_BOTH void operator()(It f, It l, T value) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) f[i] = value;
  }
};
struct fill_n {
  template <typename It, typename T> __WS_BOTH ptrdiff_t operator()(It f, ptrdiff_t n, T value) const {
    fill()(f, f + n, value);
    return n;
  }
};
struct sequence {
  template <typename It> __WS_BOTH void operator()(It f, It l) const { (*this)(f, l, value_at<It>(0)); }
  template <typename It, typename T> __WS_BOTH void operator()(It f, It l, T from) const { (*this)(f, l, from, T(1)); }
  template <typename It, typename T> __WS_BOTH void operator()(It f, It l, T from, T step) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) f[i] = (value_at<It>)(from + step * (T)i);
  }
};
struct tabulate {
  template <typename It, typename F> __WS_BOTH void operator()(It f, It l, F function) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) f[i] = function(i);
  }
};
struct generate {
  template <typename It, typename F> __WS_BOTH void operator()(It f, It l, F function) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) f[i] = function();
  }
};
struct replace_if {
  template <typename It, typename P, typename T> __WS_BOTH void operator()(It f, It l, P p, T value) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (p(f[i])) f[i] = value;
    }
  }
};
struct replace {
  template <typename It, typename T> __WS_BOTH void operator()(It f, It l, T old, T value) const {
    replace_if()(f, l, equals<T>{old}, value);
  }
};
struct shuffle {
  template <typename It, typename G> __WS_BOTH void operator()(It f, It l, G engine) const {
    for (ptrdiff_t i = l - f - 1; i > 0; --i) {
      const ptrdiff_t j = (ptrdiff_t)(engine() % (size_t)(i + 1));
      const value_at<It> kept = f[i];
      f[i] = (value_at<It>)f[j];
      f[j] = kept;
    }
  }
};
struct reverse {
  template <typename It> __WS_BOTH void operator()(It f, It l) const {
    for (ptrdiff_t i = 0, j = l - f - 1; i < j; ++i, --j) {
      const value_at<It> kept = f[i];
      f[i] = (value_at<It>)f[j];
      f[j] = kept;
    }
  }
};
struct gather {
  template <typename M, typename It, typename O> __WS_BOTH ptrdiff_t operator()(M f, M l, It from, O o) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) o[i] = from[f[i]];
    return l - f;
  }
};
struct scatter {
  template <typename It, typename M, typename O> __WS_BOTH void operator()(It f, It l, M map, O o) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) o[map[i]] = f[i];
  }
};
struct scatter_if {
  template <typename It, typename M, typename S, typename O>
  __WS_BOTH void operator()(It f, It l, M map, S s, O o) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (s[i]) o[map[i]] = f[i];
    }
  }
};

struct transform_reduce {
  template <typename It, typename U, typename T, typename B>
  __WS_BOTH T operator()(It f, It l, U unary, T sum, B binary) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) sum = binary(sum, unary(f[i]));
    return sum;
  }
};
struct reduce {
  template <typename It> __WS_BOTH value_at<It> operator()(It f, It l) const { return (*this)(f, l, value_at<It>(0)); }
  template <typename It, typename T> __WS_BOTH T operator()(It f, It l, T sum) const {
    return (*this)(f, l, sum, plus<>());
  }
  template <typename It, typename T, typename B> __WS_BOTH T operator()(It f, It l, T sum, B binary) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) sum = (T)binary(sum, f[i]);
    return sum;
  }
};
struct inner_product {
  template <typename It, typename Jt, typename T> __WS_BOTH T operator()(It f, It l, Jt g, T sum) const {
    return (*this)(f, l, g, sum, plus<>(), multiplies<>());
  }
  template <typename It, typename Jt, typename T, typename A, typename B>
  __WS_BOTH T operator()(It f, It l, Jt g, T sum, A add, B times) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) sum = (T)add(sum, times(f[i], g[i]));
    return sum;
  }
};
struct count_if {
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < l - f; ++i) n += p(f[i]) ? 1 : 0;
    return n;
  }
};
struct count {
  template <typename It, typename T> __WS_BOTH ptrdiff_t operator()(It f, It l, T v) const {
    return count_if()(f, l, equals<T>{v});
  }
};
struct find_if {
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    ptrdiff_t i = 0;
    while (i < l - f && !p(f[i])) ++i;
    return i;
  }
};
struct find_if_not {
  template <typename It, typename P> __WS_BOTH ptrdiff_t operator()(It f, It l, P p) const {
    return find_if()(f, l, negated<P>{p});
  }
};
struct find {
  template <typename It, typename T> __WS_BOTH ptrdiff_t operator()(It f, It l, T v) const {
    return find_if()(f, l, equals<T>{v});
  }
};
struct any_of {
  template <typename It, typename P> __WS_BOTH bool operator()(It f, It l, P p) const {
    return find_if()(f, l, p) != l - f;
  }
};
struct none_of {
  template <typename It, typename P> __WS_BOTH bool operator()(It f, It l, P p) const { return !any_of()(f, l, p); }
};
struct all_of {
  template <typename It, typename P> __WS_BOTH bool operator()(It f, It l, P p) const {
    return !any_of()(f, l, negated<P>{p});
  }
};
struct equal {
  template <typename It, typename Jt> __WS_BOTH bool operator()(It f, It l, Jt g) const {
    return (*this)(f, l, g, equal_to<>());
  }
  template <typename It, typename Jt, typename P> __WS_BOTH bool operator()(It f, It l, Jt g, P p) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (!p(f[i], g[i])) return false;
    }
    return true;
  }
};
struct max_element {
  template <typename It> __WS_BOTH ptrdiff_t operator()(It f, It l) const { return (*this)(f, l, less<>()); }
  template <typename It, typename C> __WS_BOTH ptrdiff_t operator()(It f, It l, C c) const {
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < l - f; ++i) best = c(f[best], f[i]) ? i : best;
    return best;
  }
};
struct min_element {
  template <typename It> __WS_BOTH ptrdiff_t operator()(It f, It l) const { return (*this)(f, l, less<>()); }
  template <typename It, typename C> __WS_BOTH ptrdiff_t operator()(It f, It l, C c) const {
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < l - f; ++i) best = c(f[i], f[best]) ? i : best;
    return best;
  }
};
struct minmax_element {
  template <typename It> __WS_BOTH distances operator()(It f, It l) const { return (*this)(f, l, less<>()); }
  template <typename It, typename C> __WS_BOTH distances operator()(It f, It l, C c) const {
    return {min_element()(f, l, c), max_element()(f, l, c)};
  }
};

struct transform_inclusive_scan {
  template <typename It, typename O, typename U, typename B>
  __WS_BOTH ptrdiff_t operator()(It f, It l, O o, U unary, B binary) const {
    if (l - f < 1) return 0;
    typename std::decay<decltype(unary(f[0]))>::type sum = unary(f[0]);
    o[0] = sum;
    for (ptrdiff_t i = 1; i < l - f; ++i) o[i] = sum = binary(sum, unary(f[i]));
    return l - f;
  }
};
struct inclusive_scan {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, O o) const {
    return (*this)(f, l, o, plus<>());
  }
  template <typename It, typename O, typename B> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, B binary) const {
    if (l - f < 1) return 0;
    value_at<It> sum = f[0];
    o[0] = sum;
    for (ptrdiff_t i = 1; i < l - f; ++i) o[i] = sum = (value_at<It>)binary(sum, f[i]);
    return l - f;
  }
};
struct transform_exclusive_scan {
  template <typename It, typename O, typename U, typename T, typename B>
  __WS_BOTH ptrdiff_t operator()(It f, It l, O o, U unary, T sum, B binary) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      const auto value = unary(f[i]);
      o[i] = sum;
      sum = (T)binary(sum, value);
    }
    return l - f;
  }
};
struct exclusive_scan {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, O o) const {
    return (*this)(f, l, o, value_at<It>(0));
  }
  template <typename It, typename O, typename T> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, T sum) const {
    return (*this)(f, l, o, sum, plus<>());
  }
  template <typename It, typename O, typename T, typename B>
  __WS_BOTH ptrdiff_t operator()(It f, It l, O o, T sum, B binary) const {
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      const value_at<It> value = f[i];
      o[i] = sum;
      sum = (T)binary(sum, value);
    }
    return l - f;
  }
};
struct inclusive_scan_by_key {
  template <typename K, typename V, typename O> __WS_BOTH ptrdiff_t operator()(K f, K l, V v, O o) const {
    return (*this)(f, l, v, o, equal_to<>(), plus<>());
  }
  template <typename K, typename V, typename O, typename P> __WS_BOTH ptrdiff_t operator()(K f, K l, V v, O o, P p) const {
    return (*this)(f, l, v, o, p, plus<>());
  }
  template <typename K, typename V, typename O, typename P, typename B>
  __WS_BOTH ptrdiff_t operator()(K f, K l, V v, O o, P p, B binary) const {
    value_at<V> sum{};
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      sum = i > 0 && p(f[i - 1], f[i]) ? (value_at<V>)binary(sum, v[i]) : (value_at<V>)v[i];
      o[i] = sum;
    }
    return l - f;
  }
};
struct exclusive_scan_by_key {
  template <typename K, typename V, typename O> __WS_BOTH ptrdiff_t operator()(K f, K l, V v, O o) const {
    return (*this)(f, l, v, o, value_at<V>(0));
  }
  template <typename K, typename V, typename O, typename T> __WS_BOTH ptrdiff_t operator()(K f, K l, V v, O o, T from) const {
    T sum = from;
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      if (i > 0 && !(f[i - 1] == f[i])) sum = from;
      const value_at<V> value = v[i];
      o[i] = sum;
      sum = (T)(sum + value);
    }
    return l - f;
  }
};
struct reduce_by_key {
  template <typename K, typename V, typename L, typename W> __WS_BOTH distances operator()(K f, K l, V v, L k, W w) const {
    return (*this)(f, l, v, k, w, equal_to<>(), plus<>());
  }
  template <typename K, typename V, typename L, typename W, typename P>
  __WS_BOTH distances operator()(K f, K l, V v, L k, W w, P p) const {
    return (*this)(f, l, v, k, w, p, plus<>());
  }
  template <typename K, typename V, typename L, typename W, typename P, typename B>
  __WS_BOTH distances operator()(K f, K l, V v, L k, W w, P p, B binary) const {
    ptrdiff_t groups = 0;
    value_at<V> sum{};
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      sum = i > 0 && p(f[i - 1], f[i]) ? (value_at<V>)binary(sum, v[i]) : (value_at<V>)v[i];
      if (i + 1 < l - f && p(f[i], f[i + 1])) continue;
      k[groups] = f[i];
      w[groups++] = sum;
    }
    return {groups, groups};
  }
};
struct adjacent_difference {
  template <typename It, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, O o) const {
    return (*this)(f, l, o, minus<>());
  }
  template <typename It, typename O, typename B> __WS_BOTH ptrdiff_t operator()(It f, It l, O o, B binary) const {
    value_at<It> before{};
    for (ptrdiff_t i = 0; i < l - f; ++i) {
      const value_at<It> here = f[i];
      if (i == 0) {
        o[i] = here;
      } else {
        o[i] = binary(here, before);
      }
      before = here;
    }
    return l - f;
  }
};

// The first position whose element does not come before the value, or comes behind it.
template <bool Upper> struct bound {
  template <typename It, typename T> __WS_BOTH ptrdiff_t operator()(It f, It l, T v) const {
    return (*this)(f, l, v, less<>());
  }
  template <typename It, typename T, typename C> __WS_BOTH ptrdiff_t operator()(It f, It l, T v, C c) const {
    ptrdiff_t low = 0, high = l - f;
    while (low < high) {
      const ptrdiff_t middle = (low + high) / 2;
      const bool before = Upper ? !c(v, f[middle]) : c(f[middle], v);
      (before ? low : high) = before ? middle + 1 : middle;
    }
    return low;
  }
  template <typename It, typename V, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, V v, V w, O o) const {
    return (*this)(f, l, v, w, o, less<>());
  }
  template <typename It, typename V, typename O, typename C>
  __WS_BOTH ptrdiff_t operator()(It f, It l, V v, V w, O o, C c) const {
    for (ptrdiff_t i = 0; i < w - v; ++i) o[i] = (*this)(f, l, (value_at<V>)v[i], c);
    return w - v;
  }
};
using lower_bound = bound<false>;
using upper_bound = bound<true>;
struct binary_search {
  template <typename It, typename T> __WS_BOTH bool operator()(It f, It l, T v) const {
    const ptrdiff_t at = lower_bound()(f, l, v);
    return at < l - f && !(v < f[at]);
  }
};
struct merge {
  template <typename It, typename Jt, typename O> __WS_BOTH ptrdiff_t operator()(It f, It l, Jt g, Jt m, O o) const {
    return (*this)(f, l, g, m, o, less<>());
  }
  template <typename It, typename Jt, typename O, typename C>
  __WS_BOTH ptrdiff_t operator()(It f, It l, Jt g, Jt m, O o, C c) const {
    const ptrdiff_t all = (l - f) + (m - g);
    for (ptrdiff_t i = 0; i < all; ++i) {
      if (f == l || (g != m && c(*g, *f))) {
        o[i] = *g++;
      } else {
        o[i] = *f++;
      }
    }
    return all;
  }
};

}  // namespace ops
}  // namespace __ws_thrust

#undef __WS_BOTH
