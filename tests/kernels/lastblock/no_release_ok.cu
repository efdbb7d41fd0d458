// The last block to finish adds up the partial sums: fence, ticket, fence.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg partial=int[4]
// weakspot: arg ticket=uint[1]
// weakspot: arg total=int[1]
// expect: none

__global__ void sum(const int* in, int* partial, unsigned* ticket, int* total) {
  int value = in[blockIdx.x * 32 + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, step);
  }
  if (threadIdx.x != 0) {
    return;
  }
  partial[blockIdx.x] = value;
  __threadfence();
  const unsigned mine = atomicAdd(ticket, 1u);
  __threadfence();
  if (mine == gridDim.x - 1) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) {
      all += partial[b];
    }
    *total = all;
  }
}
