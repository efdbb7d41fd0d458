// Extremes of pairs: what is not a number is passed on by some, and left out by others. Extremes by name.
// weakspot: launch grid=1 block=1
// weakspot: arg out=float[8]
// expect: none
#include <cassert>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename Pair>
__device__ void extremes(Pair a, Pair b, float* out) {
  const Pair low = __hmin2(a, b), high = __hmax2(a, b), low_nan = __hmin2_nan(a, b), high_nan = __hmax2_nan(a, b);
  assert((float)low.x == 1.0f && (float)high.x == 2.0f && (float)low_nan.x == 1.0f && (float)high_nan.x == 2.0f);
  assert((float)low.y == 3.0f && (float)high.y == 3.0f);
  assert(__hisnan(low_nan.y) && __hisnan(high_nan.y));
  out[0] = (float)low_nan.x + (float)high_nan.x;
}

__device__ void constants() {
  assert(__hisinf(CUDART_INF_FP16) && __hisnan(CUDART_NAN_FP16) && (float)CUDART_MAX_NORMAL_FP16 == 65504.0f);
  assert((float)CUDART_ONE_FP16 == 1.0f && (float)CUDART_ZERO_FP16 == 0.0f && (float)CUDART_MIN_DENORM_FP16 > 0.0f);
  assert((float)CUDART_INF_BF16 > 3.4e38f && __hisnan(CUDART_NAN_BF16) && (float)CUDART_MAX_NORMAL_BF16 > 3.38e38f);
  assert((float)CUDART_ONE_BF16 == 1.0f && (float)CUDART_ZERO_BF16 == 0.0f && (float)CUDART_MIN_DENORM_BF16 > 0.0f);
}

__global__ void pairs(float* out) {
  constants();
  const float none = nanf("");
  extremes(__floats2half2_rn(1.0f, none), __floats2half2_rn(2.0f, 3.0f), out);
  extremes(__floats2bfloat162_rn(2.0f, 3.0f), __floats2bfloat162_rn(1.0f, none), out + 4);
}
