// Threads of all blocks count into global bins atomically.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random:0:7
// weakspot: arg bins=int[8]
// expect: none

__global__ void histogram(const int* in, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[in[i]], 1);
}
