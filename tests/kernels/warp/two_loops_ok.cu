// One loop fills a tile, another reads what other lanes wrote, with __syncwarp between them.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none

__global__ void turn(const int* in, int* out) {
  __shared__ int tile[128];
  for (int i = threadIdx.x; i < 128; i += 32) {
    tile[i] = in[i];
  }
  __syncwarp();
  for (int i = threadIdx.x; i < 128; i += 32) {
    out[i] = tile[127 - i];
  }
}
