// The last block sets the ticket back with a plain store: it has observed the tickets of all others, which
// orders them before it.
// weakspot: launch grid=4 block=32
// weakspot: arg partial=int[4]
// weakspot: arg ticket=uint[1]
// weakspot: arg total=int[1]
// expect: none

__global__ void sum(int* partial, unsigned* ticket, int* total) {
  if (threadIdx.x != 0) {
    return;
  }
  partial[blockIdx.x] = blockIdx.x + 1;
  __threadfence();
  const unsigned mine = atomicAdd(ticket, 1u);
  __threadfence();
  if (mine == gridDim.x - 1) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) {
      all += partial[b];
    }
    *total = all;
    *ticket = 0;
  }
}
