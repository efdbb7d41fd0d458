// One thread writes each sixteen bytes.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=iota
// weakspot: arg out=int[256]
// expect: none

__global__ void spread(const int4* in, int4* out) {
  __shared__ int4 tile[16];
  const int t = threadIdx.x;
  if (t < 16) tile[t] = in[t];
  __syncthreads();
  out[t] = tile[15 - t % 16];
}
