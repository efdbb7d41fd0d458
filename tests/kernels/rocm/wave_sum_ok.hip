// A barrier of the wave between fences follows each access.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none
#include <hip/hip_runtime.h>

__device__ __forceinline__ void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

__global__ void sum(const int* in, int* out) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  meet();
  for (int step = 32; step > 0; step /= 2) {
    const int other = part[t ^ step];
    meet();
    part[t] += other;
    meet();
  }
  out[t] = part[t];
}
