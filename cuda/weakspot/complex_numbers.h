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

}  // namespace __ws_thrust

#undef __WS_BOTH
