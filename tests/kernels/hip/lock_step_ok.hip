// The lanes of the wave meet with fences between the steps of the sum.
// weakspot: launch grid=1 block=128
// weakspot: arg data=float[128] fill=iota
// weakspot: arg out=float[1]
// expect: none
#include <hip/hip_runtime.h>

__device__ void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

__global__ void sum(const float* data, float* out) {
  __shared__ float part[128];
  const int t = threadIdx.x;
  part[t] = data[t];
  __syncthreads();
  if (t < 64) {
    part[t] += part[t + 64];
    for (int step = 32; step > 0; step /= 2) {
      meet();
      if (t < step) part[t] += part[t + step];
    }
    if (t == 0) out[0] = part[0];
  }
}
