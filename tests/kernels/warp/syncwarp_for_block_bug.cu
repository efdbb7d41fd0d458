// __syncwarp where the data comes from another warp.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared x @w @r

__global__ void reverse(const int* in, int* out) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = in[t];  // @w
  __syncwarp();
  out[t] = x[63 - t];  // @r
}
