// __syncthreads_count is a barrier as well: only half of the warp calls it, the others wait at the next
// barrier.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random:-5:5
// weakspot: arg out=int[32]
// expect: divergence D1 @a @b

__global__ void count_positive(const int* in, int* out) {
  __shared__ int total;
  const int t = threadIdx.x;
  int n = 0;
  if (t < 16) {
    n = __syncthreads_count(in[t] > 0);  // @a
  }
  if (t == 0) {
    total = n;
  }
  __syncthreads();  // @b
  out[t] = total;
}
