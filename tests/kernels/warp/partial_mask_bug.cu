// Each half of the warp synchronises on its own, and then reads what the other half has written.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: race E2 shared x @w @r
// expect(lockstep): none

__global__ void reverse(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane];  // @w
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = x[31 - lane];  // @r
}
