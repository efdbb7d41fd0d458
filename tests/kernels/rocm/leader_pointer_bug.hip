// The first lane of each wave takes a place for all of them, and its lanes read it at once.
// weakspot: launch grid=1 block=128
// weakspot: arg next=int[1]
// weakspot: arg out=int[256]
// expect: race E2 shared place @w @r
// allow: race E1 global out @o @o
// expect(lockstep): none
#include <hip/hip_runtime.h>

__global__ void tables(int* next, int* out) {
  __shared__ int place[2];
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  if (lane == 0) place[wave] = atomicAdd(next, 64);  // @w
  const int own = place[wave] % 128;  // @r
  out[own + lane] = lane;  // @o
}
