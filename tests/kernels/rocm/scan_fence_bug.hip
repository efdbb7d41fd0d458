// A scan of several rounds carries its sum on; a fence stands where a barrier should be.
// weakspot: launch grid=1 block=128
// weakspot: arg data=int[256] fill=iota
// expect: race E1 shared total @w @r
#include <hip/hip_runtime.h>

__global__ void scan(int* data) {
  __shared__ int part[128], total;
  const int t = threadIdx.x;
  int before = 0;
  for (int begin = 0; begin < 256; begin += 128) {
    part[t] = data[begin + t];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
      const int left = t >= step ? part[t - step] : 0;
      __syncthreads();
      part[t] += left;
      __syncthreads();
    }
    data[begin + t] = before + part[t];
    if (t == 127) total = part[t];  // @w
    __threadfence_block();
    before += total;  // @r
  }
}
