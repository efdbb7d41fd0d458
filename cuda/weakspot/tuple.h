// SPDX-License-Identifier: MIT
// thrust::tuple and thrust::pair, for both sides. A tuple of references can be assigned to, which is how zipped ranges
// are written.
#pragma once

#include <utility>

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {

struct null_type {};

template <typename... T> struct tuple;
template <> struct tuple<> {
  __WS_BOTH constexpr tuple() {}
};
template <typename First, typename... Rest>
struct tuple<First, Rest...> {
  First first;
  tuple<Rest...> rest;

  __WS_BOTH constexpr tuple() : first(), rest() {}
  __WS_BOTH constexpr tuple(const First& f, const Rest&... r) : first(f), rest(r...) {}
  // Whatever the elements can be made of.
  template <typename F, typename... R, typename = decltype(First(std::declval<F>())),
            typename = typename std::enable_if<sizeof...(R) == sizeof...(Rest)>::type>
  __WS_BOTH constexpr tuple(F&& f, R&&... r) : first((F&&)f), rest((R&&)r...) {}
  tuple(const tuple&) = default;
  template <typename F, typename... R>
  __WS_BOTH constexpr tuple(const tuple<F, R...>& other) : first(other.first), rest(other.rest) {}
  __WS_BOTH tuple& operator=(const tuple& other) {
    first = other.first;
    rest = other.rest;
    return *this;
  }
  template <typename F, typename... R>
  __WS_BOTH tuple& operator=(const tuple<F, R...>& other) {
    first = other.first;
    rest = other.rest;
    return *this;
  }
};

template <unsigned long I, typename T> struct tuple_element;
template <typename F, typename... R> struct tuple_element<0, tuple<F, R...>> { using type = F; };
template <unsigned long I, typename F, typename... R>
struct tuple_element<I, tuple<F, R...>> : tuple_element<I - 1, tuple<R...>> {};
template <typename T> struct tuple_size;
template <typename... T> struct tuple_size<tuple<T...>> { static constexpr unsigned long value = sizeof...(T); };

template <int I, typename F, typename... R>
__WS_BOTH constexpr auto& get(tuple<F, R...>& t) {
  if constexpr (I == 0) {
    return t.first;
  } else {
    return __ws_thrust::get<I - 1>(t.rest);
  }
}
template <int I, typename F, typename... R>
__WS_BOTH constexpr auto& get(const tuple<F, R...>& t) {
  if constexpr (I == 0) {
    return t.first;
  } else {
    return __ws_thrust::get<I - 1>(t.rest);
  }
}
template <int I, typename F, typename... R>
__WS_BOTH constexpr auto get(tuple<F, R...>&& t) -> typename tuple_element<I, tuple<F, R...>>::type {
  return static_cast<typename tuple_element<I, tuple<F, R...>>::type&&>(__ws_thrust::get<I>(t));
}

template <typename... T>
__WS_BOTH constexpr tuple<typename std::decay<T>::type...> make_tuple(T&&... values) {
  return tuple<typename std::decay<T>::type...>((T&&)values...);
}
template <typename... T>
__WS_BOTH constexpr tuple<T&...> tie(T&... values) {
  return tuple<T&...>(values...);
}

__WS_BOTH constexpr bool operator==(const tuple<>&, const tuple<>&) { return true; }
__WS_BOTH constexpr bool operator<(const tuple<>&, const tuple<>&) { return false; }
template <typename F, typename... R, typename G, typename... S>
__WS_BOTH constexpr bool operator==(const tuple<F, R...>& a, const tuple<G, S...>& b) {
  return a.first == b.first && a.rest == b.rest;
}
template <typename F, typename... R, typename G, typename... S>
__WS_BOTH constexpr bool operator<(const tuple<F, R...>& a, const tuple<G, S...>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.rest < b.rest);
}
template <typename... A, typename... B>
__WS_BOTH constexpr bool operator!=(const tuple<A...>& a, const tuple<B...>& b) { return !(a == b); }
template <typename... A, typename... B>
__WS_BOTH constexpr bool operator>(const tuple<A...>& a, const tuple<B...>& b) { return b < a; }

template <typename A, typename B>
struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
  __WS_BOTH constexpr pair() : first(), second() {}
  __WS_BOTH constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template <typename C, typename D>
  __WS_BOTH constexpr pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
  template <typename C, typename D>
  __WS_BOTH constexpr pair(const std::pair<C, D>& other) : first(other.first), second(other.second) {}
};
template <typename A, typename B>
__WS_BOTH constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <typename A, typename B>
__WS_BOTH constexpr bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first == b.first && a.second == b.second;
}
template <typename A, typename B>
__WS_BOTH constexpr bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

}  // namespace __ws_thrust

#undef __WS_BOTH
