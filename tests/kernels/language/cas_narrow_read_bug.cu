// The same of four bytes: the first read of a loop is checked again where only the compare-and-swap looks at it.
// weakspot: launch grid=2 block=64
// weakspot: arg total=int[1]
// weakspot: arg largest=int[1]
// expect: race W2 global total @read @swap
// A thread whose number is not larger never swaps.
// expect: race E1 global largest @first @raise
__global__ void accumulate(int* total, int* largest) {
  int old = *total, assumed;  // @read
  do {
    assumed = old;
    old = atomicCAS(total, assumed, assumed + 1);  // @swap
  } while (assumed != old);
  const int own = threadIdx.x + blockIdx.x * blockDim.x;
  int seen = *largest;  // @first
  while (seen < own) {
    assumed = seen;
    seen = atomicCAS(largest, assumed, own);  // @raise
    if (seen == assumed) break;
  }
}
