// Most threads use an atomic of device scope, but thread 0 of each block one of block scope.
// weakspot: launch grid=2 block=32
// weakspot: arg count=int[1]
// expect: race E1 global count @a @b
// expect: race E1 global count @b @b

__global__ void count_threads(int* count) {
  if (threadIdx.x == 0) {
    atomicAdd_block(count, 100);  // @b
  } else {
    atomicAdd(count, 1);  // @a
  }
}
