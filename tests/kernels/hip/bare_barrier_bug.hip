// The hardware's barrier makes threads wait and orders no memory: there is no fence beside it.
// weakspot: launch grid=2 block=128
// weakspot: arg data=int[256] fill=iota
// expect: race E1 shared tile @w @r
#include <hip/hip_runtime.h>

__global__ void reverse(int* data) {
  __shared__ int tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];        // @w
  __builtin_amdgcn_s_barrier();
  data[i] = tile[127 - threadIdx.x];  // @r
}
