// A barrier stands between the load and the first step of the tree.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[1]
// expect: none

__global__ void tree_sum(const int* in, int* out) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  sums[tid] = in[tid];
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    if (tid < step) {
      sums[tid] += sums[tid + step];
    }
    __syncthreads();
  }
  if (tid == 0) {
    *out = sums[0];
  }
}
