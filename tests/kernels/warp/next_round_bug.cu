// A warp turns rows in rounds, but without __syncwarp at the end a fast lane refills the tile too early.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[128] fill=random
// expect: race E2 shared row @w @r
// expect(lockstep): none

__global__ void turn(int* data) {
  __shared__ int row[32];
  const int lane = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    row[lane] = data[r * 32 + lane];  // @w
    __syncwarp();
    const int value = row[31 - lane];  // @r
    data[r * 32 + lane] = value;
  }
}
