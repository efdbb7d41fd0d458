// SPDX-License-Identifier: MIT
// The floating-point types of eight bits: cuda_fp8.h. Conversions round to the nearest and saturate unless told not to.
#pragma once

#define __WS_TINY __attribute__((host)) __attribute__((device)) __forceinline__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace __ws_tiny {

// E5M2 has the exponents of half and an infinity; the greatest number of E4M3 is 448, and it has no infinity.
__WS_TINY float to_float(unsigned char bits, __nv_fp8_interpretation_t kind) {
  const int fraction_bits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const int exponent = (bits & 0x7f) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
  const float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
  if (kind == __NV_E4M3 && (bits & 0x7f) == 0x7f) return __builtin_nanf("");
  if (kind == __NV_E5M2 && exponent == 31) return fraction != 0 ? __builtin_nanf("") : sign * __builtin_inff();
  float value = (float)(exponent == 0 ? fraction : fraction + (1 << fraction_bits));
  for (int i = (exponent == 0 ? 1 : exponent) - bias - fraction_bits; i != 0; i += i < 0 ? 1 : -1) {
    value = i < 0 ? value * 0.5f : value * 2.0f;
  }
  return sign * value;
}

__WS_TINY unsigned char from_float(float f, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const unsigned char sign = (__builtin_bit_cast(unsigned int, f) >> 24) & 0x80;
  const float size = f < 0 ? -f : f;
  if (size != size) return sign | 0x7f;
  const unsigned char greatest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const float limit = kind == __NV_E4M3 ? 464.0f : 61440.0f;  // from here on, rounding leaves the range
  if (size >= limit) {
    if (size == limit && kind == __NV_E4M3) return sign | greatest;
    return sign | (saturation == __NV_SATFINITE ? greatest : kind == __NV_E4M3 ? 0x7f : 0x7c);
  }
  // The greatest that is not above; the codes of positive numbers ascend with them.
  unsigned char low = 0, high = greatest;
  while (low < high) {
    const unsigned char middle = (unsigned char)((low + high + 1) / 2);
    if (to_float(middle, kind) <= size) {
      low = middle;
    } else {
      high = (unsigned char)(middle - 1);
    }
  }
  if (low == greatest) return sign | low;
  const float below = size - to_float(low, kind), above = to_float((unsigned char)(low + 1), kind) - size;
  const bool up = above < below || (above == below && (low & 1) != 0);
  return sign | (unsigned char)(low + up);
}

}  // namespace __ws_tiny

__WS_TINY __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __ws_tiny::from_float(f, s, k);
}
__WS_TINY __nv_fp8_storage_t __nv_cvt_double_to_fp8(double f, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __ws_tiny::from_float((float)f, s, k);
}
__WS_TINY __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 f, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return (unsigned short)(__ws_tiny::from_float(f.x, s, k) | __ws_tiny::from_float(f.y, s, k) << 8);
}
__WS_TINY __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw h, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __ws_tiny::from_float((float)__half(h), s, k);
}
__WS_TINY __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw b, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __ws_tiny::from_float((float)__nv_bfloat16(b), s, k);
}
__WS_TINY __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t k) {
  return __half(__ws_tiny::to_float(v, k));
}
__WS_TINY __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t k) {
  const __half_raw a = __nv_cvt_fp8_to_halfraw((unsigned char)v, k), b = __nv_cvt_fp8_to_halfraw((unsigned char)(v >> 8), k);
  return {a.x, b.x};
}

#define __WS_TINY_TYPE(T, kind)                                                                         \
  struct T {                                                                                            \
    __nv_fp8_storage_t __x;                                                                             \
    T() = default;                                                                                      \
    __WS_TINY explicit T(float f) : __x(__ws_tiny::from_float(f, __NV_SATFINITE, kind)) {}              \
    __WS_TINY explicit T(double f) : T((float)f) {}                                                     \
    __WS_TINY explicit T(int i) : T((float)i) {}                                                        \
    __WS_TINY explicit T(unsigned int i) : T((float)i) {}                                               \
    __WS_TINY explicit T(__half h) : T((float)h) {}                                                     \
    __WS_TINY explicit T(__nv_bfloat16 h) : T((float)h) {}                                              \
    __WS_TINY explicit operator float() const { return __ws_tiny::to_float(__x, kind); }                \
    __WS_TINY explicit operator double() const { return __ws_tiny::to_float(__x, kind); }               \
    __WS_TINY explicit operator __half() const { return __half(__ws_tiny::to_float(__x, kind)); }       \
    __WS_TINY explicit operator __nv_bfloat16() const { return __nv_bfloat16(__ws_tiny::to_float(__x, kind)); } \
    __WS_TINY explicit operator bool() const { return (__x & 0x7f) != 0; }                              \
    __WS_TINY explicit operator int() const { return (int)__ws_tiny::to_float(__x, kind); }             \
  };
__WS_TINY_TYPE(__nv_fp8_e4m3, __NV_E4M3)
__WS_TINY_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef __WS_TINY_TYPE

#define __WS_TINY_VECTOR(name, kind, storage, vector, n)                                          \
  struct __align__(n) name {                                                                            \
    storage __x;                                                                                        \
    name() = default;                                                                                   \
    __WS_TINY explicit name(vector f) : __x(0) {                                                        \
      const float* parts = &f.x;                                                                        \
      for (int i = 0; i < n; ++i)                                                                       \
        __x |= (storage)((storage)__ws_tiny::from_float(parts[i], __NV_SATFINITE, kind) << 8 * i);      \
    }                                                                                                   \
    __WS_TINY explicit operator vector() const {                                                        \
      vector f;                                                                                         \
      float* parts = &f.x;                                                                              \
      for (int i = 0; i < n; ++i) parts[i] = __ws_tiny::to_float((unsigned char)(__x >> 8 * i), kind);  \
      return f;                                                                                         \
    }                                                                                                   \
  };
__WS_TINY_VECTOR(__nv_fp8x2_e4m3, __NV_E4M3, __nv_fp8x2_storage_t, float2, 2)
__WS_TINY_VECTOR(__nv_fp8x2_e5m2, __NV_E5M2, __nv_fp8x2_storage_t, float2, 2)
__WS_TINY_VECTOR(__nv_fp8x4_e4m3, __NV_E4M3, __nv_fp8x4_storage_t, float4, 4)
__WS_TINY_VECTOR(__nv_fp8x4_e5m2, __NV_E5M2, __nv_fp8x4_storage_t, float4, 4)
#undef __WS_TINY_VECTOR
#undef __WS_TINY
