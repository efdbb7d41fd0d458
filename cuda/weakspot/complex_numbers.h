// SPDX-License-Identifier: MIT
// thrust::complex, for both sides.
#pragma once

#include <type_traits>
#include <utility>

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {

template <typename T>
struct __attribute__((aligned(2 * sizeof(T)))) complex {
  using value_type = T;

  __WS_BOTH constexpr complex(const T& re = T(), const T& im = T()) : re_(re), im_(im) {}
  complex(const complex&) = default;
  template <typename U> __WS_BOTH constexpr complex(const complex<U>& z) : re_((T)z.real()), im_((T)z.imag()) {}
  // std::complex, or any other type that has both parts.
  template <typename Z, typename = decltype(std::declval<const Z&>().real() + std::declval<const Z&>().imag())>
  complex(const Z& z) : re_((T)z.real()), im_((T)z.imag()) {}
  complex& operator=(const complex&) = default;
  __WS_BOTH constexpr T real() const { return re_; }
  __WS_BOTH constexpr T imag() const { return im_; }
  __WS_BOTH T real() const volatile { return re_; }
  __WS_BOTH T imag() const volatile { return im_; }
  __WS_BOTH void real(T re) { re_ = re; }
  __WS_BOTH void imag(T im) { im_ = im; }

  __WS_BOTH complex& operator+=(const complex& z) { return *this = complex(re_ + z.re_, im_ + z.im_); }
  __WS_BOTH complex& operator-=(const complex& z) { return *this = complex(re_ - z.re_, im_ - z.im_); }
  __WS_BOTH complex& operator*=(const complex& z) {
    return *this = complex(re_ * z.re_ - im_ * z.im_, re_ * z.im_ + im_ * z.re_);
  }
  __WS_BOTH complex& operator/=(const complex& z) {
    const T size = z.re_ * z.re_ + z.im_ * z.im_;
    return *this = complex((re_ * z.re_ + im_ * z.im_) / size, (im_ * z.re_ - re_ * z.im_) / size);
  }

 private:
  T re_, im_;
};

#define __WS_ARITHMETIC(op)                                                                                       \
  template <typename T> __WS_BOTH complex<T> operator op(const complex<T>& a, const complex<T>& b) {              \
    complex<T> result = a;                                                                                        \
    return result op##= b;                                                                                        \
  }                                                                                                               \
  template <typename T> __WS_BOTH complex<T> operator op(const complex<T>& a, const T& b) { return a op complex<T>(b); } \
  template <typename T> __WS_BOTH complex<T> operator op(const T& a, const complex<T>& b) { return complex<T>(a) op b; }
__WS_ARITHMETIC(+)
__WS_ARITHMETIC(-)
__WS_ARITHMETIC(*)
__WS_ARITHMETIC(/)
#undef __WS_ARITHMETIC
template <typename T> __WS_BOTH complex<T> operator-(const complex<T>& z) { return {-z.real(), -z.imag()}; }
template <typename T> __WS_BOTH complex<T> operator+(const complex<T>& z) { return z; }
template <typename T> __WS_BOTH bool operator==(const complex<T>& a, const complex<T>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <typename T> __WS_BOTH bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }

template <typename T> __WS_BOTH complex<T> conj(const complex<T>& z) { return {z.real(), -z.imag()}; }
template <typename T> __WS_BOTH T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename T> __WS_BOTH T abs(const complex<T>& z) { return (T)::hypot(z.real(), z.imag()); }
template <typename T> __WS_BOTH T arg(const complex<T>& z) { return (T)::atan2(z.imag(), z.real()); }
template <typename T> __WS_BOTH complex<T> polar(const T& size, const T& angle = T()) {
  return {size * (T)::cos(angle), size * (T)::sin(angle)};
}
template <typename T> __WS_BOTH complex<T> exp(const complex<T>& z) { return polar((T)::exp(z.real()), z.imag()); }
template <typename T> __WS_BOTH complex<T> log(const complex<T>& z) { return {(T)::log(abs(z)), arg(z)}; }
template <typename T> __WS_BOTH complex<T> sqrt(const complex<T>& z) {
  return polar((T)::sqrt(abs(z)), arg(z) / T(2));
}
template <typename T> __WS_BOTH complex<T> pow(const complex<T>& z, const complex<T>& to) { return exp(log(z) * to); }
template <typename T> __WS_BOTH complex<T> pow(const complex<T>& z, const T& to) { return exp(log(z) * to); }
template <typename T> __WS_BOTH complex<T> pow(const T& x, const complex<T>& to) { return exp(log(complex<T>(x)) * to); }
template <typename T> __WS_BOTH complex<T> log10(const complex<T>& z) { return log(z) / (T)::log(T(10)); }
template <typename T> __WS_BOTH complex<T> proj(const complex<T>& z) {
  const bool infinite = ::isinf(z.real()) || ::isinf(z.imag());
  return infinite ? complex<T>((T)INFINITY, ::copysign(T(0), z.imag())) : z;
}

template <typename T> __WS_BOTH complex<T> sinh(const complex<T>& z) {
  return {(T)::sinh(z.real()) * (T)::cos(z.imag()), (T)::cosh(z.real()) * (T)::sin(z.imag())};
}
template <typename T> __WS_BOTH complex<T> cosh(const complex<T>& z) {
  return {(T)::cosh(z.real()) * (T)::cos(z.imag()), (T)::sinh(z.real()) * (T)::sin(z.imag())};
}
// Far from the imaginary axis the quotient would be one of infinities.
template <typename T> __WS_BOTH complex<T> tanh(const complex<T>& z) {
  if (::fabs(z.real()) > T(30)) return {::copysign(T(1), z.real()), T(0)};
  return sinh(z) / cosh(z);
}
template <typename T> __WS_BOTH complex<T> asinh(const complex<T>& z) { return log(z + sqrt(z * z + T(1))); }
template <typename T> __WS_BOTH complex<T> acosh(const complex<T>& z) {
  return log(z + sqrt(z + T(1)) * sqrt(z - T(1)));
}
template <typename T> __WS_BOTH complex<T> atanh(const complex<T>& z) {
  return (log(complex<T>(T(1)) + z) - log(complex<T>(T(1)) - z)) / T(2);
}
// f(z) from its hyperbolic sister: -i g(iz).
#define __WS_TURNED(name, sister)                                            \
  template <typename T> __WS_BOTH complex<T> name(const complex<T>& z) {     \
    const complex<T> turned = sister(complex<T>(-z.imag(), z.real()));       \
    return {turned.imag(), -turned.real()};                                  \
  }
__WS_TURNED(sin, sinh)
__WS_TURNED(tan, tanh)
__WS_TURNED(asin, asinh)
__WS_TURNED(atan, atanh)
#undef __WS_TURNED
template <typename T> __WS_BOTH complex<T> cos(const complex<T>& z) { return cosh(complex<T>(-z.imag(), z.real())); }
template <typename T> __WS_BOTH complex<T> acos(const complex<T>& z) {
  const complex<T> other = asin(z);
  return {T(1.57079632679489661923) - other.real(), -other.imag()};
}

}  // namespace __ws_thrust

#undef __WS_BOTH
