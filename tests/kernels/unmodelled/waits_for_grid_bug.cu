// The grid waits for the one before it. What that orders is not modelled, so no barrier is called redundant, although
// each thread reads back only its own element.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[128] fill=iota
// expect: unmodelled @wait
__global__ void scale(int* data) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = 2 * i;
  __syncthreads();
  cudaGridDependencySynchronize();  // @wait
  data[i] = tile[threadIdx.x];
}
