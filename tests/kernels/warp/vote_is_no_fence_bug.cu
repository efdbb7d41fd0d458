// A vote between write and read orders no memory either.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: race E2 shared x @w @r
// expect(lockstep): none

__global__ void all_positive(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane] * 2;  // @w
  if (__all_sync(0xffffffffu, in[lane] >= 0)) {
    out[lane] = x[(lane + 1) % 32];  // @r
  }
}
