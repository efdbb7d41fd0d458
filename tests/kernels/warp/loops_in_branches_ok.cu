// Half of the lanes fill a tile in a loop, and the others read it in another when all of them have met.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void hand_over(const int* in, int* out) {
  __shared__ int tile[64];
  const int lane = threadIdx.x;
  if (lane < 16) {
    for (int i = lane; i < 64; i += 16) {
      tile[i] = in[i];
    }
  }
  __syncwarp();
  if (lane >= 16) {
    for (int i = lane - 16; i < 64; i += 16) {
      out[i] = tile[i];
    }
  }
}
