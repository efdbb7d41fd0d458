// Scan within a warp over a zero-padded shared array, relying on lock step between read and write.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[32] fill=random
// expect: race E2 shared x @a @a
// expect(lockstep): none

__global__ void warp_scan(int* data) {
  __shared__ int x[64];
  const int lane = threadIdx.x;
  x[lane] = 0;
  x[lane + 32] = data[lane];
  __syncthreads();
  for (int d = 1; d < 32; d *= 2) {
    x[lane + 32] += x[lane + 32 - d];  // @a
  }
  data[lane] = x[lane + 32];
}
