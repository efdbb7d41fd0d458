// Fences on both sides of the critical section.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg sum=int[1]
// weakspot: arg count=int[1]
// expect: none

__global__ void record(int* lock, int* sum, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x;
    *count += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
