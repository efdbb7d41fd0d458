// The lanes meet between the write of the place and its reads.
// weakspot: launch grid=1 block=128
// weakspot: arg next=int[1]
// weakspot: arg out=int[256]
// expect: none
#include <hip/hip_runtime.h>

__global__ void tables(int* next, int* out) {
  __shared__ int place[2];
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  if (lane == 0) place[wave] = atomicAdd(next, 64);
  __syncwarp();
  const int own = place[wave] % 128;
  out[own + lane] = lane;
}
