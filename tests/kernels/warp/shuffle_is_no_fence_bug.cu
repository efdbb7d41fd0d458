// A shuffle between write and read: it makes the lanes meet, but orders no memory.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: race E2 shared x @w @r
// expect(lockstep): none

__global__ void exchange(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane];  // @w
  const int first = __shfl_sync(0xffffffffu, in[lane], 0);
  out[lane] = x[lane ^ 1] + first;  // @r
}
