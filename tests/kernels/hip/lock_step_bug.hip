// The last steps of the sum rely on 64 lanes that run in lock step.
// weakspot: launch grid=1 block=128
// weakspot: arg data=float[128] fill=iota
// weakspot: arg out=float[1]
// expect: race E2 shared part @s @t
// expect(lockstep): none
#include <hip/hip_runtime.h>

__global__ void sum(const float* data, float* out) {
  __shared__ float part[128];
  const int t = threadIdx.x;
  part[t] = data[t];
  __syncthreads();
  if (t < 64) {
    part[t] += part[t + 64];  // @s
    if (t < 32) part[t] += part[t + 32];  // @t
    if (t < 1) out[0] = part[0];
  }
}
