// The lock is given back after a fence, but taken without one: reads inside may come from before.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg best=int[1]
// expect: race E1 global best @a @a

__global__ void keep_max(int* lock, int* best) {
  if (threadIdx.x == 0) {
    const int mine = blockIdx.x * 3 % 4 + 1;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *best = *best + mine;  // @a
    __threadfence();
    atomicExch(lock, 0);
  }
}
