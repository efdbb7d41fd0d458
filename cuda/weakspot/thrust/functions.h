// SPDX-License-Identifier: MIT
// The function objects of thrust and cub.
#pragma once

#include "../tuple.h"

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {

template <typename A, typename R> struct unary_function {
  using argument_type = A;
  using result_type = R;
};
template <typename A, typename B, typename R> struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = R;
};

#define __WS_BINARY(name, expression)                                                      \
  template <typename T = void> struct name {                                               \
    using result_type = T;                                                                 \
    __WS_BOTH constexpr auto operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                       \
  template <> struct name<void> {                                                          \
    template <typename T, typename U>                                                      \
    __WS_BOTH constexpr auto operator()(const T& a, const U& b) const { return expression; } \
  };
__WS_BINARY(plus, a + b)
__WS_BINARY(minus, a - b)
__WS_BINARY(multiplies, a * b)
__WS_BINARY(divides, a / b)
__WS_BINARY(modulus, a % b)
__WS_BINARY(equal_to, a == b)
__WS_BINARY(not_equal_to, !(a == b))
__WS_BINARY(less, a < b)
__WS_BINARY(greater, b < a)
__WS_BINARY(less_equal, !(b < a))
__WS_BINARY(greater_equal, !(a < b))
__WS_BINARY(logical_and, a && b)
__WS_BINARY(logical_or, a || b)
__WS_BINARY(bit_and, a & b)
__WS_BINARY(bit_or, a | b)
__WS_BINARY(bit_xor, a ^ b)
__WS_BINARY(maximum, a < b ? b : a)
__WS_BINARY(minimum, b < a ? b : a)
#undef __WS_BINARY
#define __WS_UNARY(name, expression)                                                 \
  template <typename T = void> struct name {                                         \
    __WS_BOTH constexpr auto operator()(const T& a) const { return expression; }     \
  };                                                                                 \
  template <> struct name<void> {                                                    \
    template <typename T> __WS_BOTH constexpr auto operator()(const T& a) const { return expression; } \
  };
__WS_UNARY(negate, -a)
__WS_UNARY(logical_not, !a)
__WS_UNARY(identity, a)
__WS_UNARY(square, a * a)
#undef __WS_UNARY
template <typename A = void, typename B = void> struct project1st {
  template <typename T, typename U> __WS_BOTH constexpr T operator()(const T& a, const U&) const { return a; }
};
template <typename A = void, typename B = void> struct project2nd {
  template <typename T, typename U> __WS_BOTH constexpr U operator()(const T&, const U& b) const { return b; }
};
template <typename F> struct negated {
  F f;
  template <typename... A> __WS_BOTH bool operator()(const A&... a) const { return !f(a...); }
};
template <typename F> __WS_BOTH negated<F> not1(F f) { return {f}; }
template <typename F> __WS_BOTH negated<F> not_fn(F f) { return {f}; }

}  // namespace __ws_thrust

#undef __WS_BOTH
