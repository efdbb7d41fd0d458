// One bit per thread in shared words, set with atomicOr.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg mask=uint[2]
// expect: none

__global__ void mark(const int* in, unsigned* mask) {
  __shared__ unsigned bits[2];
  const int t = threadIdx.x;
  if (t < 2) {
    bits[t] = 0;
  }
  __syncthreads();
  if (in[t] >= 0) {
    atomicOr(&bits[t % 2], 1u << (t / 2));
  }
  __syncthreads();
  if (t < 2) {
    mask[t] = bits[t];
  }
}
