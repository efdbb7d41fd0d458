// set compares like setp, and its result is a number: 1.0 or 0.0, or all bits or none. min.NaN passes on what is not a
// number.
// weakspot: launch grid=1 block=1
// weakspot: arg out=float[2]
// expect: none
#include <cassert>

__device__ float less(float a, float b) {
  float result;
  asm("set.lt.f32.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

__device__ unsigned is_number(float a) {
  unsigned result;
  asm("set.num.u32.f32 %0, %1, %1;" : "=r"(result) : "f"(a));
  return result;
}

__device__ float least(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

__global__ void compare(float* out) {
  const float none = nanf("");
  assert(less(1.0f, 2.0f) == 1.0f && less(2.0f, 1.0f) == 0.0f && less(none, 1.0f) == 0.0f);
  assert(is_number(1.0f) == 0xffffffffu && is_number(none) == 0);
  assert(least(1.0f, 2.0f) == 1.0f && isnan(least(none, 1.0f)) && isnan(least(1.0f, none)));
  out[0] = less(1.0f, 2.0f);
}
