// A spin lock with a fence after taking it and one before giving it back.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: none

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += blockIdx.x + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
