// A release before the barrier and an acquire behind it, with other code between.
// weakspot: launch grid=2 block=128
// weakspot: arg data=int[256] fill=iota
// expect: none
#include <hip/hip_runtime.h>

__global__ void reverse(int* data) {
  __shared__ int tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  int mine = data[i];
  __builtin_amdgcn_s_barrier();
  mine += data[i];
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[i] = tile[127 - threadIdx.x] + mine;
}
