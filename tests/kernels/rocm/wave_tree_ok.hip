// A second barrier ends each level.
// weakspot: launch grid=1 block=512
// weakspot: arg in=float[512] fill=random
// weakspot: arg out=float[1]
// expect: none
#include <hip/hip_runtime.h>

__global__ void amax(const float* in, float* out) {
  __shared__ float slot[4];
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  float most = fabsf(in[threadIdx.x]);
  for (int step = 32; step > 0; step /= 2) most = fmaxf(most, __shfl_down(most, step));
  for (int half = 4; half > 0; half /= 2) {
    if (lane == 0 && wave >= half && wave < 2 * half) slot[wave - half] = most;
    __syncthreads();
    if (lane == 0 && wave < half) most = fmaxf(most, slot[wave]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = most;
}
