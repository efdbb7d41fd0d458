// Values are exchanged within a warp only, ordered by __syncwarp.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none

__global__ void reverse_warps(const int* in, int* out) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  const int warp = t & ~31;
  x[t] = in[t];
  __syncwarp();
  out[t] = x[warp + 31 - (t & 31)];
}
