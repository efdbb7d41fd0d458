// Values of the functions of <cmath> for float, read behind a barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=iota
// weakspot: arg out=float[64]
// expect: none
#include <cmath>
__global__ void bins(const float* in, float* out) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  const float x = in[t] + 2;
  const float all = round(x) + rint(x) + trunc(x) + log2(x) + exp2(-x) + cbrt(x) + hypot(x, x) + erf(x) +
                    fma(x, x, x) + copysign(x, x) + fmax(x, 1.0f) + fmin(x, 1.0f) + log1p(x) + expm1(-x) +
                    nextafter(x, 1.0f) + (float)lround(x) + std::nearbyint(x) + std::remainder(x, 3.0f);
  tile[t] = all + (float)lrint(x) + (float)ilogb(x) + scalbn(x, 2);
  __syncthreads();
  out[t] = tile[63 - t];
}
