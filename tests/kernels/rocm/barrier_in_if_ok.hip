// All threads come to the barrier.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[1]
// expect: none
#include <hip/hip_runtime.h>

__global__ void total(const int* in, int* out) {
  __shared__ int part[128];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t < 64) part[t] += part[t + 64];
  __syncthreads();
  for (int step = 1; t == 0 && step < 64; ++step) part[0] += part[step];
  __syncthreads();
  if (t == 1) *out = part[0];
}
