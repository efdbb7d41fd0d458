// The lanes of a wave add up in shared memory, and rely on lock step between the steps.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: race E2 shared part @w @r
// expect: race E2 shared part @init @r
// expect(lockstep): none
#include <hip/hip_runtime.h>

__device__ __forceinline__ void meet() {
}

__global__ void sum(const int* in, int* out) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];  // @init
  meet();
  for (int step = 32; step > 0; step /= 2) {
    const int other = part[t ^ step];  // @r
    meet();
    part[t] += other;  // @w
    meet();
  }
  out[t] = part[t];
}
