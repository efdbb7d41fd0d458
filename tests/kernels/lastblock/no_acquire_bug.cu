// The last block knows from its ticket that all have finished, but reads their sums without a fence after
// it.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg partial=int[4]
// weakspot: arg ticket=uint[1]
// weakspot: arg total=int[1]
// expect: race E1 global partial @w @r

__global__ void sum(const int* in, int* partial, unsigned* ticket, int* total) {
  const int t = threadIdx.x;
  if (t == 0) {
    int value = 0;
    for (int i = 0; i < 32; ++i) {
      value += in[blockIdx.x * 32 + i];
    }
    partial[blockIdx.x] = value;  // @w
    __threadfence();
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      int all = 0;
      for (int b = 0; b < gridDim.x; ++b) {
        all += partial[b];  // @r
      }
      *total = all;
    }
  }
}
