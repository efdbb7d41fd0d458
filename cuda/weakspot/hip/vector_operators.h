// SPDX-License-Identifier: MIT
// Arithmetic of int2, float4 and their like, element by element: HIP has it, and CUDA has not.
#pragma once

#define __WS_BOTH __attribute__((host)) __attribute__((device)) static inline

#define __WS_EACH1(p, op, q) {(decltype(p.x))(p.x op q.x)}
#define __WS_EACH2(p, op, q) {(decltype(p.x))(p.x op q.x), (decltype(p.x))(p.y op q.y)}
#define __WS_EACH3(p, op, q) {(decltype(p.x))(p.x op q.x), (decltype(p.x))(p.y op q.y), (decltype(p.x))(p.z op q.z)}
#define __WS_EACH4(p, op, q)                                                                             \
  {(decltype(p.x))(p.x op q.x), (decltype(p.x))(p.y op q.y), (decltype(p.x))(p.z op q.z), (decltype(p.x))(p.w op q.w)}
#define __WS_ALL1(v) {v}
#define __WS_ALL2(v) {v, v}
#define __WS_ALL3(v) {v, v, v}
#define __WS_ALL4(v) {v, v, v, v}
#define __WS_SAME1(a, b) (a.x == b.x)
#define __WS_SAME2(a, b) (a.x == b.x && a.y == b.y)
#define __WS_SAME3(a, b) (a.x == b.x && a.y == b.y && a.z == b.z)
#define __WS_SAME4(a, b) (a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w)

#define __WS_OPERATOR(type, base, n, op)                                                   \
  __WS_BOTH type operator op(const type& a, const type& b) { return __WS_EACH##n(a, op, b); } \
  __WS_BOTH type operator op(const type& a, base s) {                                      \
    const type b = __WS_ALL##n(s);                                                         \
    return __WS_EACH##n(a, op, b);                                                         \
  }                                                                                        \
  __WS_BOTH type operator op(base s, const type& b) {                                      \
    const type a = __WS_ALL##n(s);                                                         \
    return __WS_EACH##n(a, op, b);                                                         \
  }                                                                                        \
  __WS_BOTH type& operator op##=(type& a, const type& b) { return a = a op b; }             \
  __WS_BOTH type& operator op##=(type& a, base s) { return a = a op s; }
#define __WS_COMMON(type, base, n)                                                           \
  __WS_OPERATOR(type, base, n, +)                                                            \
  __WS_OPERATOR(type, base, n, -)                                                            \
  __WS_OPERATOR(type, base, n, *)                                                            \
  __WS_OPERATOR(type, base, n, /)                                                            \
  __WS_BOTH bool operator==(const type& a, const type& b) { return __WS_SAME##n(a, b); }       \
  __WS_BOTH bool operator!=(const type& a, const type& b) { return !__WS_SAME##n(a, b); }      \
  __WS_BOTH type operator-(const type& a) {                                                  \
    const type zero = __WS_ALL##n((base)0);                                                  \
    return __WS_EACH##n(zero, -, a);                                                         \
  }
#define __WS_WHOLE(type, base, n)    \
  __WS_COMMON(type, base, n)         \
  __WS_OPERATOR(type, base, n, %)    \
  __WS_OPERATOR(type, base, n, &)    \
  __WS_OPERATOR(type, base, n, |)    \
  __WS_OPERATOR(type, base, n, ^)    \
  __WS_OPERATOR(type, base, n, <<)   \
  __WS_OPERATOR(type, base, n, >>)
#define __WS_SIZES(kind, name, base) \
  kind(name##1, base, 1) kind(name##2, base, 2) kind(name##3, base, 3) kind(name##4, base, 4)

__WS_SIZES(__WS_COMMON, float, float)
__WS_SIZES(__WS_COMMON, double, double)
__WS_SIZES(__WS_WHOLE, char, signed char)
__WS_SIZES(__WS_WHOLE, uchar, unsigned char)
__WS_SIZES(__WS_WHOLE, short, short)
__WS_SIZES(__WS_WHOLE, ushort, unsigned short)
__WS_SIZES(__WS_WHOLE, int, int)
__WS_SIZES(__WS_WHOLE, uint, unsigned int)
__WS_SIZES(__WS_WHOLE, long, long)
__WS_SIZES(__WS_WHOLE, ulong, unsigned long)
__WS_SIZES(__WS_WHOLE, longlong, long long)
__WS_SIZES(__WS_WHOLE, ulonglong, unsigned long long)

#undef __WS_SIZES
#undef __WS_WHOLE
#undef __WS_COMMON
#undef __WS_OPERATOR
#undef __WS_EACH1
#undef __WS_EACH2
#undef __WS_EACH3
#undef __WS_EACH4
#undef __WS_ALL1
#undef __WS_ALL2
#undef __WS_ALL3
#undef __WS_ALL4
#undef __WS_SAME1
#undef __WS_SAME2
#undef __WS_SAME3
#undef __WS_SAME4
#undef __WS_BOTH
