// Threads without a row return, and never reach the barrier of the others.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[100] fill=iota
// weakspot: arg out=int[1]
// weakspot: arg rows=100
// expect: divergence D3 @barrier
#include <hip/hip_runtime.h>

__global__ void count(const int* in, int* out, int rows) {
  __shared__ int found;
  const int t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (t >= rows) return;
  if (in[t] % 3 == 0) atomicAdd(&found, 1);
  __syncthreads();  // @barrier
  if (t == 0) *out = found;
}
