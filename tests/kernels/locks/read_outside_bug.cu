// The total is updated under the lock but read once more after the lock was given back.
// weakspot: launch grid=3 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// weakspot: arg seen=int[3]
// expect: race E1 global total @a @b

__global__ void add_and_look(int* lock, int* total, int* seen) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += blockIdx.x + 1;  // @a
    __threadfence();
    atomicExch(lock, 0);
    seen[blockIdx.x] = *total;  // @b
  }
}
