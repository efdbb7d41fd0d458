// A block reads the input of the next block, which nobody writes.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// weakspot: arg edge=int[4]
// expect: none

__global__ void edges(const int* in, int* out, int* edge) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = 2 * in[i];
  if (threadIdx.x == 31 && blockIdx.x + 1 < gridDim.x) {
    edge[blockIdx.x] = 2 * in[i + 1];
  }
}
