// SPDX-License-Identifier: MIT
// The floating-point types of sixteen bits; see cuda_fp16.h and cuda_bf16.h. A float is precise enough for their sums,
// products, quotients and roots that rounding twice gives the same as rounding once.
#pragma once

#define __WS_HALF __attribute__((host)) __attribute__((device)) __forceinline__

namespace __ws_small {

__WS_HALF unsigned int bits(float f) { return __builtin_bit_cast(unsigned int, f); }
__WS_HALF float value(unsigned int u) { return __builtin_bit_cast(float, u); }

struct half_format {
  __WS_HALF static float to_float(unsigned short h) {
    const unsigned int sign = (h & 0x8000u) << 16, rest = (h & 0x7fffu) << 13;
    if (rest >= 0x0f800000u) return value(sign | (rest + 0x70000000u));  // infinite or no number
    if (rest >= 0x00800000u) return value(sign | (rest + 0x38000000u));
    return value(sign | bits(value(rest + 0x38800000u) - value(0x38800000u)));
  }
  __WS_HALF static unsigned short from_float(float f) {
    const unsigned int sign = bits(f) >> 16 & 0x8000u;
    unsigned int u = bits(f) & 0x7fffffffu;
    if (u > 0x7f800000u) return 0x7fffu;
    if (u >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
    if (u < 0x38800000u) return (unsigned short)(sign | (bits(value(u) + 0.5f) - 0x3f000000u));
    u += 0xc8000fffu + (u >> 13 & 1);
    return (unsigned short)(sign | u >> 13);
  }
};
struct bfloat_format {
  __WS_HALF static float to_float(unsigned short h) { return value((unsigned int)h << 16); }
  __WS_HALF static unsigned short from_float(float f) {
    const unsigned int u = bits(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
    return (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
  }
};

}  // namespace __ws_small

// A type, the type of a pair, and its raw bits.
#define __WS_SMALL_TYPE(T, T2, Format)                                                                             \
  struct T##_raw { unsigned short x; };                                                                            \
  struct __align__(2) T {                                                                                          \
    unsigned short __x;                                                                                            \
    T() = default;                                                                                                 \
    __WS_HALF T(T##_raw raw) : __x(raw.x) {}                                                                       \
    __WS_HALF T(float f) : __x(Format::from_float(f)) {}                                                           \
    __WS_HALF T(double f) : __x(Format::from_float((float)f)) {}                                                   \
    __WS_HALF T(int i) : __x(Format::from_float((float)i)) {}                                                      \
    __WS_HALF T(unsigned int i) : __x(Format::from_float((float)i)) {}                                             \
    __WS_HALF T(short i) : __x(Format::from_float((float)i)) {}                                                    \
    __WS_HALF T(unsigned short i) : __x(Format::from_float((float)i)) {}                                           \
    __WS_HALF T(long i) : __x(Format::from_float((float)i)) {}                                                     \
    __WS_HALF T(unsigned long i) : __x(Format::from_float((float)i)) {}                                            \
    __WS_HALF T(long long i) : __x(Format::from_float((float)i)) {}                                                \
    __WS_HALF T(unsigned long long i) : __x(Format::from_float((float)i)) {}                                       \
    __WS_HALF operator float() const { return Format::to_float(__x); }                                             \
    __WS_HALF explicit operator bool() const { return (__x & 0x7fffu) != 0; }                                      \
    __WS_HALF explicit operator int() const { return (int)Format::to_float(__x); }                                 \
    __WS_HALF explicit operator unsigned int() const { return (unsigned int)Format::to_float(__x); }               \
    __WS_HALF explicit operator short() const { return (short)Format::to_float(__x); }                             \
    __WS_HALF explicit operator long long() const { return (long long)Format::to_float(__x); }                     \
    __WS_HALF operator T##_raw() const { return {__x}; }                                                           \
  };                                                                                                               \
  struct T2##_raw { unsigned short x, y; };                                                                        \
  struct __align__(4) T2 {                                                                                         \
    T x, y;                                                                                                        \
    T2() = default;                                                                                                \
    __WS_HALF T2(const T& a, const T& b) : x(a), y(b) {}                                                           \
  };                                                                                                               \
  __WS_SMALL_ARITHMETIC(T, T2, +, __hadd, __hadd2)                                                                 \
  __WS_SMALL_ARITHMETIC(T, T2, -, __hsub, __hsub2)                                                                 \
  __WS_SMALL_ARITHMETIC(T, T2, *, __hmul, __hmul2)                                                                 \
  __WS_SMALL_ARITHMETIC(T, T2, /, __hdiv, __h2div)                                                                 \
  __WS_SMALL_COMPARISON(T, T2, ==, __heq, __hbeq2)                                                                 \
  __WS_SMALL_COMPARISON(T, T2, !=, __hne, __hbne2)                                                                 \
  __WS_SMALL_COMPARISON(T, T2, <, __hlt, __hblt2)                                                                  \
  __WS_SMALL_COMPARISON(T, T2, <=, __hle, __hble2)                                                                 \
  __WS_SMALL_COMPARISON(T, T2, >, __hgt, __hbgt2)                                                                  \
  __WS_SMALL_COMPARISON(T, T2, >=, __hge, __hbge2)                                                                 \
  __WS_HALF T operator+(const T& a) { return a; }                                                                  \
  __WS_HALF T operator-(const T& a) { return T##_raw{(unsigned short)(a.__x ^ 0x8000u)}; }                         \
  __WS_HALF T2 operator-(const T2& a) { return {-a.x, -a.y}; }                                                     \
  __WS_HALF T& operator++(T& a) { return a = a + T(1.0f); }                                                        \
  __WS_HALF T& operator--(T& a) { return a = a - T(1.0f); }                                                        \
  __WS_HALF T __hneg(T a) { return -a; }                                                                           \
  __WS_HALF T2 __hneg2(T2 a) { return -a; }                                                                        \
  __WS_HALF T __habs(T a) { return T##_raw{(unsigned short)(a.__x & 0x7fffu)}; }                                   \
  __WS_HALF T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }                                                \
  __WS_HALF T __hfma(T a, T b, T c) { return T((double)(float)a * (double)(float)b + (double)(float)c); }          \
  __WS_HALF T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                \
  __WS_HALF T __hfma_sat(T a, T b, T c) { return __ws_small::saturated<T>(__hfma(a, b, c)); }                      \
  __WS_HALF T __hfma_relu(T a, T b, T c) { return T(fmaxf((float)__hfma(a, b, c), 0.0f)); }                        \
  __WS_HALF T2 __hfma2_sat(T2 a, T2 b, T2 c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }    \
  __WS_HALF T2 __hfma2_relu(T2 a, T2 b, T2 c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; } \
  __WS_HALF int __hisinf(T a) {                                                                                    \
    return (a.__x & 0x7fffu) != T(value_of_infinity()).__x ? 0 : (a.__x & 0x8000u) != 0 ? -1 : 1;                  \
  }                                                                                                                \
  __WS_HALF bool __hisnan(T a) { return (a.__x & 0x7fffu) > T(value_of_infinity()).__x; }                          \
  __WS_HALF T __hmax(T a, T b) { return __hisnan(a) ? b : __hisnan(b) || a > b ? a : b; }                          \
  __WS_HALF T __hmin(T a, T b) { return __hisnan(a) ? b : __hisnan(b) || a < b ? a : b; }                          \
  __WS_HALF T __hmax_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) || a < b ? b : a; }                      \
  __WS_HALF T __hmin_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) || b < a ? b : a; }                      \
  __WS_HALF T2 __hisnan2(T2 a) { return {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)}; }        \
  __WS_HALF T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                                \
  __WS_HALF T2 __hmin2(T2 a, T2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                                \
  __WS_HALF T2 __hmax2_nan(T2 a, T2 b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }                    \
  __WS_HALF T2 __hmin2_nan(T2 a, T2 b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }                    \
  __WS_SMALL_MATH(T, T2, sqrt, sqrtf(f))                                                                           \
  __WS_SMALL_MATH(T, T2, rsqrt, 1.0f / sqrtf(f))                                                                   \
  __WS_SMALL_MATH(T, T2, rcp, 1.0f / f)                                                                            \
  __WS_SMALL_MATH(T, T2, exp, expf(f))                                                                             \
  __WS_SMALL_MATH(T, T2, exp2, exp2f(f))                                                                           \
  __WS_SMALL_MATH(T, T2, log, logf(f))                                                                             \
  __WS_SMALL_MATH(T, T2, log2, log2f(f))                                                                           \
  __WS_SMALL_MATH(T, T2, sin, sinf(f))                                                                             \
  __WS_SMALL_MATH(T, T2, cos, cosf(f))                                                                             \
  __WS_SMALL_MATH(T, T2, exp10, exp2f(f * 3.321928095f))                                                           \
  __WS_SMALL_MATH(T, T2, log10, log10f(f))                                                                         \
  __WS_SMALL_MATH(T, T2, tanh, tanhf(f))                                                                           \
  __WS_SMALL_MATH(T, T2, floor, floorf(f))                                                                         \
  __WS_SMALL_MATH(T, T2, ceil, ceilf(f))                                                                           \
  __WS_SMALL_MATH(T, T2, trunc, truncf(f))                                                                         \
  __WS_SMALL_MATH(T, T2, rint, rintf(f))

#define __WS_SMALL_ARITHMETIC(T, T2, op, name, name2)                              \
  __WS_HALF T operator op(const T& a, const T& b) { return T((float)a op (float)b); } \
  __WS_HALF T& operator op##=(T& a, const T& b) { return a = a op b; }              \
  __WS_HALF T name(T a, T b) { return a op b; }                                     \
  __WS_HALF T name##_rn(T a, T b) { return a op b; }                                \
  __WS_HALF T2 operator op(const T2& a, const T2& b) { return {a.x op b.x, a.y op b.y}; } \
  __WS_HALF T2& operator op##=(T2& a, const T2& b) { return a = a op b; }           \
  __WS_HALF T2 name2(T2 a, T2 b) { return a op b; }                                 \
  __WS_HALF T2 name2##_rn(T2 a, T2 b) { return a op b; }                            \
  __WS_HALF T name##_sat(T a, T b) { return __ws_small::saturated<T>(a op b); }     \
  __WS_HALF T2 name2##_sat(T2 a, T2 b) { return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)}; }
#define __WS_SMALL_COMPARISON(T, T2, op, name, name2)                               \
  __WS_HALF bool operator op(const T& a, const T& b) { return (float)a op (float)b; } \
  __WS_HALF bool name(T a, T b) { return a op b; }                                  \
  __WS_HALF bool name2(T2 a, T2 b) { return a.x op b.x && a.y op b.y; }             \
  __WS_HALF T2 name##2(T2 a, T2 b) { return {T(a.x op b.x ? 1.0f : 0.0f), T(a.y op b.y ? 1.0f : 0.0f)}; }
#define __WS_SMALL_MATH(T, T2, name, e)                           \
  __WS_HALF T h##name(T a) {                                      \
    const float f = a;                                            \
    return T(e);                                                  \
  }                                                               \
  __WS_HALF T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }

namespace __ws_small {
__WS_HALF float value_of_infinity() { return value(0x7f800000u); }
// Between 0 and 1, and 0 for what is no number.
template <typename T> __WS_HALF T saturated(T value) {
  const float f = value;
  return f > 1.0f ? T(1.0f) : f > 0.0f ? value : T(0.0f);
}
// `nearest` is f rounded to nearest: the neighbour on the other side of f if the wanted direction is there. Without
// their sign, numbers are ordered as their bits are.
template <typename T> __WS_HALF T toward_zero(T nearest, float f) {
  if (fabsf(nearest) > fabsf(f)) nearest.__x -= 1;
  return nearest;
}
template <typename T> __WS_HALF T downward(T nearest, float f) {
  if ((float)nearest > f) nearest.__x = nearest.__x == 0 ? 0x8001 : nearest.__x + (nearest.__x & 0x8000 ? 1 : -1);
  return nearest;
}
template <typename T> __WS_HALF T upward(T nearest, float f) {
  if ((float)nearest < f) nearest.__x = nearest.__x == 0x8000 ? 1 : nearest.__x + (nearest.__x & 0x8000 ? -1 : 1);
  return nearest;
}
}  // namespace __ws_small
using __ws_small::value_of_infinity;

__WS_SMALL_TYPE(__half, __half2, __ws_small::half_format)
__WS_SMALL_TYPE(__nv_bfloat16, __nv_bfloat162, __ws_small::bfloat_format)

#define __WS_SMALL_CONVERSIONS(T, T2, name)                                                                   \
  __WS_HALF float __##name##2float(T a) { return a; }                                                         \
  __WS_HALF T __float2##name(float f) { return T(f); }                                                        \
  __WS_HALF T __float2##name##_rn(float f) { return T(f); }                                                   \
  __WS_HALF T __float2##name##_rz(float f) { return __ws_small::toward_zero(T(f), f); }                       \
  __WS_HALF T __float2##name##_rd(float f) { return __ws_small::downward(T(f), f); }                          \
  __WS_HALF T __float2##name##_ru(float f) { return __ws_small::upward(T(f), f); }                            \
  __WS_HALF T __double2##name(double f) { return T(f); }                                                      \
  __WS_HALF T2 __float2##name##2_rn(float f) { return {T(f), T(f)}; }                                         \
  __WS_HALF T2 __floats2##name##2_rn(float f, float g) { return {T(f), T(g)}; }                               \
  __WS_HALF T2 __float22##name##2_rn(float2 f) { return {T(f.x), T(f.y)}; }                                   \
  __WS_HALF float2 __##name##22float2(T2 a) { return {(float)a.x, (float)a.y}; }                              \
  __WS_HALF T2 __##name##2##name##2(T a) { return {a, a}; }                                                   \
  __WS_HALF T2 __halves2##name##2(T a, T b) { return {a, b}; }                                                \
  __WS_HALF T2 make_##name##2(T a, T b) { return {a, b}; }                                                    \
  __WS_HALF T __low2##name(T2 a) { return a.x; }                                                              \
  __WS_HALF T __high2##name(T2 a) { return a.y; }                                                             \
  __WS_HALF T2 __low2##name##2(T2 a) { return {a.x, a.x}; }                                                   \
  __WS_HALF T2 __high2##name##2(T2 a) { return {a.y, a.y}; }                                                  \
  __WS_HALF T2 __lows2##name##2(T2 a, T2 b) { return {a.x, b.x}; }                                            \
  __WS_HALF T2 __highs2##name##2(T2 a, T2 b) { return {a.y, b.y}; }                                           \
  __WS_HALF short __##name##2short_rn(T a) { return (short)rintf(a); }                                        \
  __WS_HALF short __##name##2short_rz(T a) { return (short)(float)a; }                                        \
  __WS_HALF unsigned short __##name##2ushort_rn(T a) { return (unsigned short)rintf(a); }                     \
  __WS_HALF unsigned int __##name##2uint_rz(T a) { return (unsigned int)(float)a; }                           \
  __WS_HALF long long __##name##2ll_rn(T a) { return (long long)rintf(a); }                                   \
  __WS_HALF int __##name##2int_rd(T a) { return (int)floorf(a); }                                             \
  __WS_HALF int __##name##2int_ru(T a) { return (int)ceilf(a); }                                              \
  __WS_HALF T __short2##name##_rn(short i) { return T(i); }                                                   \
  __WS_HALF T __ushort2##name##_rn(unsigned short i) { return T(i); }                                         \
  __WS_HALF T __ll2##name##_rn(long long i) { return T(i); }                                                  \
  __WS_HALF int __##name##2int_rn(T a) { return (int)rintf(a); }                                              \
  __WS_HALF int __##name##2int_rz(T a) { return (int)(float)a; }                                              \
  __WS_HALF unsigned int __##name##2uint_rn(T a) { return (unsigned int)rintf(a); }                           \
  __WS_HALF T __int2##name##_rn(int i) { return T(i); }                                                       \
  __WS_HALF T __uint2##name##_rn(unsigned int i) { return T(i); }                                             \
  __WS_HALF short __##name##_as_short(T a) { return (short)a.__x; }                                           \
  __WS_HALF unsigned short __##name##_as_ushort(T a) { return a.__x; }                                        \
  __WS_HALF T __short_as_##name(short i) { return T##_raw{(unsigned short)i}; }                               \
  __WS_HALF T __ushort_as_##name(unsigned short i) { return T##_raw{i}; }
__WS_SMALL_CONVERSIONS(__half, __half2, half)
__WS_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
__WS_HALF __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
__WS_HALF __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return {a.y, a.x}; }
__WS_HALF float __low2float(__half2 a) { return a.x; }
__WS_HALF float __high2float(__half2 a) { return a.y; }
__WS_HALF float __low2float(__nv_bfloat162 a) { return a.x; }
__WS_HALF float __high2float(__nv_bfloat162 a) { return a.y; }

// Atomics on one number, or on a pair whose halves are added separately.
#define __WS_SMALL_ATOMIC(T, operation)                                                                              \
  __device__ __forceinline__ T atomicAdd(T* p, T v) {                                                                \
    return __ws_value<T>(__ws_atomic(p, operation, sizeof(T), __ws_hook::kDeviceScope, __ws_hook::kRelaxedOrder,     \
                                     __ws_bits(v), 0));                                                             \
  }
__WS_SMALL_ATOMIC(__half, __ws_hook::kAddHalf)
__WS_SMALL_ATOMIC(__half2, __ws_hook::kAddHalf2)
__WS_SMALL_ATOMIC(__nv_bfloat16, __ws_hook::kAddBfloat)
__WS_SMALL_ATOMIC(__nv_bfloat162, __ws_hook::kAddBfloat2)
#undef __WS_SMALL_ATOMIC
#undef __WS_SMALL_CONVERSIONS
#undef __WS_SMALL_MATH
#undef __WS_SMALL_COMPARISON
#undef __WS_SMALL_ARITHMETIC
#undef __WS_SMALL_TYPE
#undef __WS_HALF
