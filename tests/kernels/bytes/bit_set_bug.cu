// One bit per thread in shared words, set with a plain read, or and write.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg mask=uint[2]
// expect: race E1 shared bits @a @a

__global__ void mark(const int* in, unsigned* mask) {
  __shared__ unsigned bits[2];
  const int t = threadIdx.x;
  if (t < 2) {
    bits[t] = 0;
  }
  __syncthreads();
  if (in[t] >= 0) {
    bits[t % 2] |= 1u << (t / 2);  // @a
  }
  __syncthreads();
  if (t < 2) {
    mask[t] = bits[t];
  }
}
