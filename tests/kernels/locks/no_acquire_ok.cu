// Fences on both sides of the critical section.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg best=int[1]
// expect: none

__global__ void keep_max(int* lock, int* best) {
  if (threadIdx.x == 0) {
    const int mine = blockIdx.x * 3 % 4 + 1;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *best = *best + mine;
    __threadfence();
    atomicExch(lock, 0);
  }
}
