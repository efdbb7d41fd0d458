// __syncwarp with all lanes in its mask, called by the even lanes only; the odd ones wait at the block
// barrier.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// expect: divergence D4 @a

__global__ void pairs(int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = lane;
  if (lane % 2 == 0) {
    __syncwarp();  // @a
    out[lane] = x[lane + 1];
  }
  __syncthreads();
  out[lane] += x[31 - lane];
}
