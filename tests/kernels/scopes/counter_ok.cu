// One counter for all blocks, incremented with atomics of device scope.
// weakspot: launch grid=4 block=32
// weakspot: arg count=int[1]
// expect: none

__global__ void count_threads(int* count) { atomicAdd(count, 1); }
