// A warp turns rows of a small tile in rounds, with __syncwarp after each write and each read.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[256] fill=random
// expect: none

__global__ void turn(int* data) {
  __shared__ int tile[2][32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int r = 0; r < 4; ++r) {
    const int i = (warp * 4 + r) * 32 + lane;
    tile[warp][lane] = data[i];
    __syncwarp();
    data[i] = tile[warp][31 - lane];
    __syncwarp();
  }
}
