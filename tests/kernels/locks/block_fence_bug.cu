// The fences around the critical section have the scope of a block, but the lock is shared by all blocks.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *total += blockIdx.x + 1;  // @a
    __threadfence_block();
    atomicExch(lock, 0);
  }
}
