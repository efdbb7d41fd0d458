// The increment is atomic and needs no fence.
// weakspot: launch grid=2 block=64
// weakspot: arg count=int[1]
// expect: none

__global__ void count_threads(int* count) { atomicAdd(count, 1); }
