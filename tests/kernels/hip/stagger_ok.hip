// Two waves meet at one bare barrier from different places, as in kernels that let waves take turns.
// weakspot: launch grid=1 block=128
// weakspot: arg data=int[128]
// expect: none
#include <hip/hip_runtime.h>

__global__ void turns(int* data) {
  __shared__ int tile[128];
  const int wave = threadIdx.x / 64;
  if (wave == 1) __builtin_amdgcn_s_barrier();
  tile[threadIdx.x] = data[threadIdx.x];
  if (wave == 0) __builtin_amdgcn_s_barrier();
  __syncthreads();
  data[threadIdx.x] = tile[127 - threadIdx.x];
}
