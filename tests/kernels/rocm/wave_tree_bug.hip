// Waves reduce in a tree with one barrier per level: a wave of the next level writes the slot that another still reads.
// weakspot: launch grid=1 block=512
// weakspot: arg in=float[512] fill=random
// weakspot: arg out=float[1]
// expect: race E1 shared slot @w @r
#include <hip/hip_runtime.h>

__global__ void amax(const float* in, float* out) {
  __shared__ float slot[4];
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  float most = fabsf(in[threadIdx.x]);
  for (int step = 32; step > 0; step /= 2) most = fmaxf(most, __shfl_down(most, step));
  for (int half = 4; half > 0; half /= 2) {
    if (lane == 0 && wave >= half && wave < 2 * half) slot[wave - half] = most;  // @w
    __syncthreads();
    if (lane == 0 && wave < half) most = fmaxf(most, slot[wave]);  // @r
  }
  if (threadIdx.x == 0) out[0] = most;
}
