// Threads without a row take part in all barriers.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[100] fill=iota
// weakspot: arg out=int[1]
// weakspot: arg rows=100
// expect: none
#include <hip/hip_runtime.h>

__global__ void count(const int* in, int* out, int rows) {
  __shared__ int found;
  const int t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (t < rows && in[t] % 3 == 0) atomicAdd(&found, 1);
  __syncthreads();
  if (t == 0) *out = found;
}
