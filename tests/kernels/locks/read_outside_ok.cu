// The total is read while the lock is held.
// weakspot: launch grid=3 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// weakspot: arg seen=int[3]
// expect: none

__global__ void add_and_look(int* lock, int* total, int* seen) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += blockIdx.x + 1;
    seen[blockIdx.x] = *total;
    __threadfence();
    atomicExch(lock, 0);
  }
}
