// All threads use atomics of device scope on what all blocks share.
// weakspot: launch grid=2 block=32
// weakspot: arg count=int[1]
// expect: none

__global__ void count_threads(int* count) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 100);
  } else {
    atomicAdd(count, 1);
  }
}
