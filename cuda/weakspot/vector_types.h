// SPDX-License-Identifier: MIT
// int2, float4, dim3 and their like.
#pragma once
#pragma GCC system_header  // compilers that the runtime is built with do not know its attributes

#define __WS_BOTH __attribute__((host)) __attribute__((device)) static inline

#define __WS_VECTORS(base, name, align2, align4)                                                              \
  struct name##1 { base x; };                                                                                 \
  struct __attribute__((aligned(align2))) name##2 { base x, y; };                                             \
  struct name##3 { base x, y, z; };                                                                           \
  struct __attribute__((aligned(align4))) name##4 { base x, y, z, w; };                                       \
  __WS_BOTH name##1 make_##name##1(base x) { return {x}; }                                                    \
  __WS_BOTH name##2 make_##name##2(base x, base y) { return {x, y}; }                                         \
  __WS_BOTH name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; }                              \
  __WS_BOTH name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }

__WS_VECTORS(signed char, char, 2, 4)
__WS_VECTORS(unsigned char, uchar, 2, 4)
__WS_VECTORS(short, short, 4, 8)
__WS_VECTORS(unsigned short, ushort, 4, 8)
__WS_VECTORS(int, int, 8, 16)
__WS_VECTORS(unsigned int, uint, 8, 16)
__WS_VECTORS(long, long, 16, 16)
__WS_VECTORS(unsigned long, ulong, 16, 16)
__WS_VECTORS(long long, longlong, 16, 16)
__WS_VECTORS(unsigned long long, ulonglong, 16, 16)
__WS_VECTORS(float, float, 8, 16)
__WS_VECTORS(double, double, 16, 16)
#undef __WS_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host)) __attribute__((device)) constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host)) __attribute__((device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host)) __attribute__((device)) constexpr operator uint3() const { return {x, y, z}; }
};
#undef __WS_BOTH
