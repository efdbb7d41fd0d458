// SPDX-License-Identifier: MIT
// Complex numbers of the C interface: cuComplex.h.
#pragma once
#pragma GCC system_header  // other compilers do not know its attributes

#include "plain.h"

#define __WS_BOTH __attribute__((host)) __attribute__((device)) static inline

#define __WS_COMPLEX(C, R, f, root)                                                                      \
  __WS_BOTH R cuCreal##f(C a) { return a.x; }                                                            \
  __WS_BOTH R cuCimag##f(C a) { return a.y; }                                                            \
  __WS_BOTH C cuConj##f(C a) { return {a.x, -a.y}; }                                                     \
  __WS_BOTH C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                     \
  __WS_BOTH C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                     \
  __WS_BOTH C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }             \
  __WS_BOTH C cuCdiv##f(C a, C b) {                                                                      \
    const R scale = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), one = (R)1 / scale;                 \
    const R ax = a.x * one, ay = a.y * one, bx = b.x * one, by = b.y * one;                              \
    const R size = (R)1 / (bx * bx + by * by);                                                           \
    return {(ax * bx + ay * by) * size, (ay * bx - ax * by) * size};                                     \
  }                                                                                                      \
  __WS_BOTH R cuCabs##f(C a) { return root(a.x, a.y); }
__WS_COMPLEX(float2, float, f, hypotf)
__WS_COMPLEX(double2, double, , hypot)
#undef __WS_COMPLEX

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
__WS_BOTH cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
__WS_BOTH cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
__WS_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__WS_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
__WS_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
__WS_BOTH cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}
__WS_BOTH cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
#undef __WS_BOTH
