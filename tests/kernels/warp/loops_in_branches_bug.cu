// Half of the lanes fill a tile in a loop, the others read it in another: nothing says which side of the branch a warp
// executes first, in lock step either.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared tile @w @r

__global__ void hand_over(const int* in, int* out) {
  __shared__ int tile[64];
  const int lane = threadIdx.x;
  if (lane < 16) {
    for (int i = lane; i < 64; i += 16) {
      tile[i] = in[i];  // @w
    }
  } else {
    for (int i = lane - 16; i < 64; i += 16) {
      out[i] = tile[i];  // @r
    }
  }
}
