// A spin lock of relaxed atomics without fences: it excludes the others but does not order the data it
// protects.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *total += blockIdx.x + 1;  // @a
    atomicExch(lock, 0);
  }
}
