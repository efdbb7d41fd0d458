// Each thread has a column of bins of its own, so plain counting is right; a barrier stands before the
// columns are summed.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random:0:3
// weakspot: arg out=int[4]
// expect: none

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[4][64];
  const int tid = threadIdx.x;
  for (int b = 0; b < 4; ++b) {
    bins[b][tid] = 0;
  }
  const int column = tid;
  bins[in[tid]][column]++;
  __syncthreads();
  if (tid < 4) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      sum += bins[tid][i];
    }
    out[tid] = sum;
  }
}
