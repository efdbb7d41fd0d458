// The two sides of a branch within a warp write different values to one word, in whatever order.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[1]
// expect: race E1 shared verdict @a @b
// allow: race W1 shared verdict @a @a
// allow: race W1 shared verdict @b @b

__global__ void parity(const int* in, int* out) {
  __shared__ int verdict;
  const int lane = threadIdx.x;
  if (in[lane] % 2 == 0) {
    verdict = 2;  // @a
  } else {
    verdict = 1;  // @b
  }
  __syncthreads();
  if (lane == 31) {
    *out = verdict;
  }
}
