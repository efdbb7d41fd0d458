// The fences of the barrier are for all memory.
// weakspot: launch grid=1 block=256
// weakspot: arg keys=int[256] fill=sorted
// weakspot: arg offset=int[1]
// weakspot: arg out=int[256]
// expect: none
#include <hip/hip_runtime.h>

__device__ __forceinline__ void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__global__ void find(const int* keys, int* offset, int* out) {
  const int t = threadIdx.x;
  if (t == 200) *offset = keys[t];
  barrier();
  out[t] = *offset + t;
}
