// Members that are constants of floating point, which nvcc accepts without constexpr.
// weakspot: launch grid=1 block=64
// weakspot: arg out=float[64] fill=one
// expect: none
#include <cassert>

template <typename T>
struct Scale {
  static const T kTwo = (T)2;
  __device__ static T twice(T x) { return x * kTwo; }
};
__global__ void scale(float* out) {
  out[threadIdx.x] = Scale<float>::twice(out[threadIdx.x]);
  assert(out[threadIdx.x] == 2.0f && Scale<double>::twice(0.5) == 1.0);
}
