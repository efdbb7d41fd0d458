// Values are exchanged within a warp only, and __syncwarp has ordered them: the block barrier adds nothing.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: redundant @a

__global__ void reverse_warps(const int* in, int* out) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  const int warp = t & ~31;
  x[t] = in[t];
  __syncwarp();
  __syncthreads();  // @a
  out[t] = x[warp + 31 - (t & 31)];
}
