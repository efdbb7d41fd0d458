// Each warp should have bins of its own, but the warp number is computed wrongly and two warps share one
// set, counted plainly.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random:0:3
// weakspot: arg out=int[4]
// expect: race E1 shared bins @a @a

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[4][64];
  const int tid = threadIdx.x;
  for (int b = 0; b < 4; ++b) {
    bins[b][tid] = 0;
  }
  __syncthreads();
  const int column = tid / 64;
  bins[in[tid]][column]++;  // @a
  __syncthreads();
  if (tid < 4) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      sum += bins[tid][i];
    }
    out[tid] = sum;
  }
}
