// The first step of the tree reads elements that other threads are still loading: no barrier after the
// load.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[1]
// expect: race E1 shared sums @a @b

__global__ void tree_sum(const int* in, int* out) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  sums[tid] = in[tid];  // @a
  for (int step = 32; step > 0; step >>= 1) {
    if (tid < step) {
      sums[tid] += sums[tid + step];  // @b
    }
    __syncthreads();
  }
  if (tid == 0) {
    *out = sums[0];
  }
}
