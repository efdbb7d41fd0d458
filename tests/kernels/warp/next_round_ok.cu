// A warp turns rows in rounds; __syncwarp also stands at the end of each round.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[128] fill=random
// expect: none

__global__ void turn(int* data) {
  __shared__ int row[32];
  const int lane = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    row[lane] = data[r * 32 + lane];
    __syncwarp();
    const int value = row[31 - lane];
    data[r * 32 + lane] = value;
    __syncwarp();
  }
}
