// Only the few elements that are multiples of a number touch the shared count, and then plainly.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[1]
// expect: race E1 shared outliers @a @a

__global__ void count_multiples(const int* in, int* out) {
  __shared__ int outliers;
  if (threadIdx.x == 0) {
    outliers = 0;
  }
  __syncthreads();
  if (in[threadIdx.x] % 63 == 0) {
    outliers += 1;  // @a
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = outliers;
  }
}
