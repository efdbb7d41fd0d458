// The first reads are atomic as well.
// weakspot: launch grid=2 block=64
// weakspot: arg total=int[1]
// weakspot: arg largest=int[1]
// expect: none
__global__ void accumulate(int* total, int* largest) {
  int old = atomicAdd(total, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(total, assumed, assumed + 1);
  } while (assumed != old);
  const int own = threadIdx.x + blockIdx.x * blockDim.x;
  int seen = atomicAdd(largest, 0);
  while (seen < own) {
    assumed = seen;
    seen = atomicCAS(largest, assumed, own);
    if (seen == assumed) break;
  }
}
