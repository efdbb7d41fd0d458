// The barrier has fences for shared memory on both sides, and leaves accesses to global memory alone.
// weakspot: launch grid=1 block=128
// weakspot: arg in=float[512] fill=iota
// weakspot: arg out=float[128]
// expect: none
#include <hip/hip_runtime.h>

__device__ __forceinline__ void sync_lds() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

__global__ void product(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    sync_lds();
    tile[t] = in[k * 128 + t];
    sync_lds();
    for (int i = 0; i < 4; ++i) sum += tile[(t + 33 * i) % 128];
  }
  out[t] = sum;
}
