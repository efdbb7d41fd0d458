// The bins are cleared by the first threads, but others may count into them before.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[128] fill=random:0:31
// weakspot: arg out=int[32]
// expect: race E1 shared bins @a @b

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) {
    bins[threadIdx.x] = 0;  // @a
  }
  atomicAdd(&bins[in[threadIdx.x]], 1);  // @b
  __syncthreads();
  if (threadIdx.x < 32) {
    out[threadIdx.x] = bins[threadIdx.x];
  }
}
