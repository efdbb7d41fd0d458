// The result of the attempt to take the lock is ignored: a thread goes on whether it got it or not.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    atomicCAS(lock, 0, 1);
    __threadfence();
    *total += blockIdx.x + 1;  // @a
    __threadfence();
    atomicExch(lock, 0);
  }
}
