// The barrier of a warp is not a round of the block's: the second warp reads before it has met the first.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared x @w @r

__global__ void own_warp_only(int* out) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  if (t < 32) {
    x[t] = t;  // @w
  } else {
    __syncwarp();
    out[t] = x[63 - t];  // @r
  }
  __syncthreads();
  if (t < 32) out[t] = x[31 - t];
}
