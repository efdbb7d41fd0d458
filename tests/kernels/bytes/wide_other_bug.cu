// Threads write different sixteen bytes to the same place.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=iota
// weakspot: arg out=int[256]
// expect: race E1 shared tile @a @a

__global__ void spread(const int4* in, int4* out) {
  __shared__ int4 tile[16];
  const int t = threadIdx.x;
  tile[t % 16] = in[t];  // @a
  __syncthreads();
  out[t] = tile[15 - t % 16];
}
