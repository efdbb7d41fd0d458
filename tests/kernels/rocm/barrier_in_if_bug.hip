// The last part of a sum is done by 64 threads, and has a barrier that the others pass by.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[1]
// expect: divergence D2 @inside @outside
#include <hip/hip_runtime.h>

__global__ void total(const int* in, int* out) {
  __shared__ int part[128];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t < 64) {
    part[t] += part[t + 64];
    __syncthreads();  // @inside
    for (int step = 1; t == 0 && step < 64; ++step) part[0] += part[step];
  }
  __syncthreads();  // @outside
  if (t == 1) *out = part[0];
}
