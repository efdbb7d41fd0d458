// The bins are cleared by the first threads, and a barrier stands before the first count.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random:0:31
// weakspot: arg out=int[32]
// expect: none

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) {
    bins[threadIdx.x] = 0;
  }
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    out[threadIdx.x] = bins[threadIdx.x];
  }
}
