// The grid waits for one before it, which is not part of the run: no barrier behind the wait is called redundant,
// although each thread reads back only its own element.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[128] fill=iota
// expect: none
__global__ void scale(int* data) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = 2 * i;
  cudaGridDependencySynchronize();
  __syncthreads();
  data[i] = tile[threadIdx.x];
}
