// The lock is given back with a plain store, which races with the atomics of the others and releases
// nothing.
// weakspot: launch grid=3 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global lock @take @give
// expect: race E1 global total @a @a
// allow: race W1 global lock @give @give
// allow: race E1 global lock @give @give

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {  // @take
    }
    __threadfence();
    *total += blockIdx.x + 1;  // @a
    __threadfence();
    *lock = 0;  // @give
  }
}
