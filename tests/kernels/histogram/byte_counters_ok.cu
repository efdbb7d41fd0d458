// Counters of one byte, one per thread and bin: neighbours in a word belong to different threads, but no
// byte has two.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=random:0:3
// weakspot: arg out=int[4]
// expect: none

__global__ void histogram(const int* in, int* out) {
  __shared__ unsigned char bins[4][64];
  const int tid = threadIdx.x;
  for (int b = 0; b < 4; ++b) {
    bins[b][tid] = 0;
  }
  for (int i = 0; i < 4; ++i) {
    bins[in[i * 64 + tid]][tid]++;
  }
  __syncthreads();
  if (tid < 4) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      sum += bins[tid][i];
    }
    out[tid] = sum;
  }
}
