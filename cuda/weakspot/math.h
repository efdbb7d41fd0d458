// SPDX-License-Identifier: MIT
// What clang's device functions leave to the toolkit: the float overloads of <cmath>, intrinsics for integers, min and
// max of mixed types.
#pragma once

#define __WS_DEVICE static __inline__ __attribute__((always_inline)) __attribute__((device))

// Declared by clang, without a body. A missing one would read as 0.
#define __WS_FLOAT1(name) \
  __WS_DEVICE float name(float x) { return ::name##f(x); }
#define __WS_FLOAT2(name) \
  __WS_DEVICE float name(float x, float y) { return ::name##f(x, y); }
#define __WS_FLOAT_TO(type, name) \
  __WS_DEVICE type name(float x) { return ::name##f(x); }
__WS_FLOAT1(acosh)
__WS_FLOAT1(asinh)
__WS_FLOAT1(atanh)
__WS_FLOAT1(cbrt)
__WS_FLOAT2(copysign)
__WS_FLOAT1(erf)
__WS_FLOAT1(erfc)
__WS_FLOAT1(exp2)
__WS_FLOAT1(expm1)
__WS_FLOAT2(fdim)
__WS_DEVICE float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
__WS_FLOAT2(fmax)
__WS_FLOAT2(fmin)
__WS_FLOAT2(hypot)
__WS_FLOAT_TO(int, ilogb)
__WS_FLOAT1(lgamma)
__WS_FLOAT_TO(long long, llrint)
__WS_FLOAT_TO(long long, llround)
__WS_FLOAT1(log1p)
__WS_FLOAT1(log2)
__WS_FLOAT1(logb)
__WS_FLOAT_TO(long, lrint)
__WS_FLOAT_TO(long, lround)
__WS_FLOAT1(nearbyint)
__WS_FLOAT2(nextafter)
__WS_FLOAT2(remainder)
__WS_DEVICE float remquo(float x, float y, int* quotient) { return ::remquof(x, y, quotient); }
__WS_FLOAT1(rint)
__WS_FLOAT1(round)
__WS_DEVICE float scalbln(float x, long n) { return ::scalblnf(x, n); }
__WS_DEVICE float scalbn(float x, int n) { return ::scalbnf(x, n); }
__WS_FLOAT1(tgamma)
__WS_FLOAT1(trunc)
__WS_DEVICE double nan(const char*) { return __builtin_nan(""); }
__WS_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
// Of CUDA alone.
__WS_FLOAT1(rsqrt)
__WS_FLOAT1(rcbrt)
__WS_FLOAT1(sinpi)
__WS_FLOAT1(cospi)
__WS_FLOAT1(normcdf)
__WS_FLOAT1(normcdfinv)
__WS_FLOAT1(erfinv)
__WS_FLOAT1(erfcinv)
__WS_FLOAT1(erfcx)
__WS_FLOAT1(exp10)
__WS_FLOAT2(rhypot)
__WS_DEVICE float fdivide(float x, float y) { return x / y; }
#undef __WS_FLOAT1
#undef __WS_FLOAT2
#undef __WS_FLOAT_TO

// The host has those of CUDA as well; the C library has the others, newer ones more of them.
#define __WS_HOST_OVERLOAD(name, parameters, expression) \
  __attribute__((host)) static inline float name parameters(float) { return (float)(expression); }
#define __WS_HOST_MATH(name, parameters, expression)                                       \
  __attribute__((host)) static inline double name parameters(double) { return expression; } \
  __attribute__((host)) static inline float name##f parameters(float) { return (float)(expression); } \
  __WS_HOST_OVERLOAD(name, parameters, expression)
#if __GLIBC_PREREQ(2, 41)
#define __WS_HOST_MATH_2_41 __WS_HOST_OVERLOAD
#else
#define __WS_HOST_MATH_2_41 __WS_HOST_MATH
#endif
#if __GLIBC_PREREQ(2, 42)
#define __WS_HOST_MATH_2_42 __WS_HOST_OVERLOAD
#else
#define __WS_HOST_MATH_2_42 __WS_HOST_MATH
#endif
#define __WS_OF_ONE(T) (T x)
#define __WS_OF_TWO(T) (T x, T y)
__WS_HOST_MATH_2_42(rsqrt, __WS_OF_ONE, 1 / ::sqrt((double)x))
__WS_HOST_MATH(rcbrt, __WS_OF_ONE, 1 / ::cbrt((double)x))
__WS_HOST_MATH_2_41(sinpi, __WS_OF_ONE, ::sin(3.14159265358979323846 * ::remainder((double)x, 2)))
__WS_HOST_MATH_2_41(cospi, __WS_OF_ONE, ::cos(3.14159265358979323846 * ::remainder((double)x, 2)))
__WS_HOST_MATH(normcdf, __WS_OF_ONE, 0.5 * ::erfc(-(double)x * 0.70710678118654752440))
__WS_HOST_MATH(erfcx, __WS_OF_ONE, ::exp((double)x * x) * ::erfc((double)x))
__WS_HOST_MATH(rhypot, __WS_OF_TWO, 1 / ::hypot((double)x, (double)y))
__WS_HOST_MATH(fdivide, __WS_OF_TWO, (double)x / (double)y)
#undef __WS_HOST_MATH
#undef __WS_HOST_MATH_2_41
#undef __WS_HOST_MATH_2_42
#undef __WS_HOST_OVERLOAD
#undef __WS_OF_ONE
#undef __WS_OF_TWO

// Two words as one, shifted.
__WS_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
__WS_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
  return by >= 32 ? low : __funnelshift_l(low, high, by);
}
__WS_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(((unsigned long long)high << 32 | low) >> (by & 31));
}
__WS_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
  return by >= 32 ? high : __funnelshift_r(low, high, by);
}

// The position of the n-th set bit from `base`, upwards for n > 0 and downwards for n < 0.
__WS_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int n) { return __nvvm_fns(mask, base, n); }

// Sums of products of the bytes, or of a half word and a byte, of two words.
#define __WS_DOT_PRODUCTS(A, B, R, byte, half)                                                          \
  __WS_DEVICE R __dp4a(A a, B b, R c) {                                                                 \
    for (int i = 0; i < 4; ++i) c += (R)(byte)(a >> 8 * i) * (R)(byte)(b >> 8 * i);                     \
    return c;                                                                                           \
  }                                                                                                     \
  __WS_DEVICE R __dp2a_lo(A a, B b, R c) {                                                              \
    for (int i = 0; i < 2; ++i) c += (R)(half)(a >> 16 * i) * (R)(byte)(b >> 8 * i);                    \
    return c;                                                                                           \
  }                                                                                                     \
  __WS_DEVICE R __dp2a_hi(A a, B b, R c) {                                                              \
    for (int i = 0; i < 2; ++i) c += (R)(half)(a >> 16 * i) * (R)(byte)(b >> 8 * (i + 2));              \
    return c;                                                                                           \
  }
__WS_DOT_PRODUCTS(int, int, int, signed char, short)
__WS_DOT_PRODUCTS(unsigned int, unsigned int, unsigned int, unsigned char, unsigned short)
#undef __WS_DOT_PRODUCTS
__WS_DEVICE int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__WS_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + (unsigned int)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

// The greatest and least of three, and with a sum or zero among them.
__WS_DEVICE int __vimax3_s32(int a, int b, int c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }
__WS_DEVICE int __vimin3_s32(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
__WS_DEVICE unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) {
  return a > b ? (a > c ? a : c) : (b > c ? b : c);
}
__WS_DEVICE unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) {
  return a < b ? (a < c ? a : c) : (b < c ? b : c);
}
__WS_DEVICE int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
__WS_DEVICE int __vimin_s32_relu(int a, int b) {
  const int least = a < b ? a : b;
  return least > 0 ? least : 0;
}
__WS_DEVICE int __viaddmax_s32(int a, int b, int c) {
  const int sum = (int)((unsigned int)a + (unsigned int)b);
  return sum > c ? sum : c;
}
__WS_DEVICE int __viaddmin_s32(int a, int b, int c) {
  const int sum = (int)((unsigned int)a + (unsigned int)b);
  return sum < c ? sum : c;
}
__WS_DEVICE float __tanhf(float x) { return ::tanhf(x); }

// min and max for every pair of arithmetic types; clang's device functions have those for two ints.
#define __WS_MINMAX(side, R, A, B)                                                                     \
  __attribute__((side)) static inline R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }            \
  __attribute__((side)) static inline R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define __WS_MINMAX_MIXED(side, R, A) __WS_MINMAX(side, R, R, A) __WS_MINMAX(side, R, A, R)
#define __WS_MINMAX_BUT_INT(side)                                              \
  __WS_MINMAX(side, unsigned int, unsigned int, unsigned int)                  \
  __WS_MINMAX(side, long, long, long)                                          \
  __WS_MINMAX(side, unsigned long, unsigned long, unsigned long)               \
  __WS_MINMAX(side, long long, long long, long long)                           \
  __WS_MINMAX(side, unsigned long long, unsigned long long, unsigned long long) \
  __WS_MINMAX(side, float, float, float)                                       \
  __WS_MINMAX(side, double, double, double)                                    \
  __WS_MINMAX_MIXED(side, unsigned int, int)                                   \
  __WS_MINMAX_MIXED(side, unsigned long, long)                                 \
  __WS_MINMAX_MIXED(side, unsigned long long, long long)                       \
  __WS_MINMAX_MIXED(side, double, float)
__WS_MINMAX_BUT_INT(host)
__WS_MINMAX(host, int, int, int)
__WS_MINMAX_BUT_INT(device)
#undef __WS_MINMAX
#undef __WS_MINMAX_MIXED
#undef __WS_MINMAX_BUT_INT
#undef __WS_DEVICE
