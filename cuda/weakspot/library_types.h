// SPDX-License-Identifier: MIT
// Types that cublas, cusparse and cufft share, and numbers of all of them: a loop is written once for real and complex.
#pragma once

#include <math.h>
#include <stdlib.h>

enum cudaDataType_t {
  CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_C_16F = 6,
  CUDA_C_8I = 7, CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13,
  CUDA_R_16BF = 14, CUDA_C_16BF = 15, CUDA_R_4I = 16, CUDA_C_4I = 17, CUDA_R_4U = 18, CUDA_C_4U = 19, CUDA_R_16I = 20,
  CUDA_C_16I = 21, CUDA_R_16U = 22, CUDA_C_16U = 23, CUDA_R_64I = 24, CUDA_C_64I = 25, CUDA_R_64U = 26,
  CUDA_C_64U = 27, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef libraryPropertyType_t libraryPropertyType;

namespace __ws_n {

// The work of a library counts as one operation of its stream. The host reaches the device's memory, and the work is
// done when it is asked for, as everything is.
inline bool submit(cudaStream_t stream, const void* memory, const char* what) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusNone) {
    __wsNotModelled(what, "captured graph", 0);
    return false;
  }
  return cudaMemcpyAsync((void*)memory, memory, 0, cudaMemcpyDefault, stream) == cudaSuccess;
}

inline float add(float a, float b) { return a + b; }
inline double add(double a, double b) { return a + b; }
inline float2 add(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
inline double2 add(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
inline float times(float a, float b) { return a * b; }
inline double times(double a, double b) { return a * b; }
inline float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
inline double2 times(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
inline float conjugate(float a) { return a; }
inline double conjugate(double a) { return a; }
inline float2 conjugate(float2 a) { return {a.x, -a.y}; }
inline double2 conjugate(double2 a) { return {a.x, -a.y}; }
inline float minus(float a) { return -a; }
inline double minus(double a) { return -a; }
inline float2 minus(float2 a) { return {-a.x, -a.y}; }
inline double2 minus(double2 a) { return {-a.x, -a.y}; }
inline double square(float a) { return (double)a * a; }
inline double square(double a) { return a * a; }
inline double square(float2 a) { return (double)a.x * a.x + (double)a.y * a.y; }
inline double square(double2 a) { return a.x * a.x + a.y * a.y; }
inline double size1(float a) { return fabs((double)a); }
inline double size1(double a) { return fabs(a); }
inline double size1(float2 a) { return fabs((double)a.x) + fabs((double)a.y); }
inline double size1(double2 a) { return fabs(a.x) + fabs(a.y); }
inline bool is_zero(float a) { return a == 0; }
inline bool is_zero(double a) { return a == 0; }
inline bool is_zero(float2 a) { return a.x == 0 && a.y == 0; }
inline bool is_zero(double2 a) { return a.x == 0 && a.y == 0; }
template <typename T> struct one { static T value() { return (T)1; } };
template <> struct one<float2> { static float2 value() { return {1, 0}; } };
template <> struct one<double2> { static double2 value() { return {1, 0}; } };
inline float inverse(float a) { return 1 / a; }
inline double inverse(double a) { return 1 / a; }
inline float2 inverse(float2 a) { return {(float)(a.x / __ws_n::square(a)), (float)(-a.y / __ws_n::square(a))}; }
inline double2 inverse(double2 a) { return {a.x / __ws_n::square(a), -a.y / __ws_n::square(a)}; }

inline float of_half(unsigned short h) {
  const int exponent = h >> 10 & 31, mantissa = h & 1023;
  const float size = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)mantissa, -24)
                                     : ldexpf((float)(mantissa | 1024), exponent - 25);
  return (h & 0x8000) != 0 ? -size : size;
}
inline unsigned short to_half(float f) {
  unsigned int u;
  memcpy(&u, &f, sizeof u);
  const unsigned int sign = u >> 16 & 0x8000u;
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return 0x7fffu;
  if (u >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
  if (u < 0x38800000u) {
    float size;
    memcpy(&size, &u, sizeof size);
    return (unsigned short)(sign | (unsigned int)rintf(ldexpf(size, 24)));
  }
  u += 0xc8000fffu + (u >> 13 & 1);
  return (unsigned short)(sign | u >> 13);
}
inline float of_bfloat(unsigned short h) {
  const unsigned int u = (unsigned int)h << 16;
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}
inline unsigned short to_bfloat(float f) {
  unsigned int u;
  memcpy(&u, &f, sizeof u);
  if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
}

// An element of an array whose type is known only at run time, as a complex double.
inline double2 read(const void* array, cudaDataType_t type, size_t i) {
  switch (type) {
    case CUDA_R_32F: return {((const float*)array)[i], 0};
    case CUDA_R_64F: return {((const double*)array)[i], 0};
    case CUDA_R_16F: return {__ws_n::of_half(((const unsigned short*)array)[i]), 0};
    case CUDA_R_16BF: return {__ws_n::of_bfloat(((const unsigned short*)array)[i]), 0};
    case CUDA_R_8I: return {(double)((const signed char*)array)[i], 0};
    case CUDA_R_8U: return {(double)((const unsigned char*)array)[i], 0};
    case CUDA_R_32I: return {(double)((const int*)array)[i], 0};
    case CUDA_C_32F: return {((const float2*)array)[i].x, ((const float2*)array)[i].y};
    case CUDA_C_64F: return ((const double2*)array)[i];
    default: return {0, 0};
  }
}
inline void write(void* array, cudaDataType_t type, size_t i, double2 v) {
  switch (type) {
    case CUDA_R_32F: ((float*)array)[i] = (float)v.x; break;
    case CUDA_R_64F: ((double*)array)[i] = v.x; break;
    case CUDA_R_16F: ((unsigned short*)array)[i] = __ws_n::to_half((float)v.x); break;
    case CUDA_R_16BF: ((unsigned short*)array)[i] = __ws_n::to_bfloat((float)v.x); break;
    case CUDA_R_8I: ((signed char*)array)[i] = (signed char)v.x; break;
    case CUDA_R_8U: ((unsigned char*)array)[i] = (unsigned char)v.x; break;
    case CUDA_R_32I: ((int*)array)[i] = (int)v.x; break;
    case CUDA_C_32F: ((float2*)array)[i] = {(float)v.x, (float)v.y}; break;
    case CUDA_C_64F: ((double2*)array)[i] = v; break;
    default: break;
  }
}
inline bool is_known(cudaDataType_t type) {
  return type <= CUDA_C_64F || type == CUDA_R_8U || type == CUDA_R_32I || type == CUDA_R_16BF;
}

}  // namespace __ws_n
