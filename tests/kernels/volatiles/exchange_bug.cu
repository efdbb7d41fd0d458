// Warps exchange values through a volatile array without a barrier: no data race, but nobody waits for
// anybody.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race W3 shared x @w @r

__global__ void reverse(const int* in, int* out) {
  __shared__ volatile int x[64];
  const int t = threadIdx.x;
  x[t] = in[t];        // @w
  out[t] = x[63 - t];  // @r
}
