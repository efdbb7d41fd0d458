// The barrier of a warp is not a round of the block's: the second warp meets the first before it reads.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none

__global__ void own_warp_only(int* out) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  if (t < 32) {
    x[t] = t;
  } else {
    __syncwarp();
  }
  __syncthreads();
  out[t] = t < 32 ? x[31 - t] : x[63 - t];
}
